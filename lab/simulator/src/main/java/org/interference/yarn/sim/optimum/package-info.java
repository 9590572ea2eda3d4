/** What is possible. A few tasks and the truth come in; the shortest schedule goes out. It knows no scheduler. */
package org.interference.yarn.sim.optimum;
