/** Readers of published and of users' traces. A file comes in; jobs whose tasks have a kind and a run time go out. */
package org.interference.yarn.sim.workload.trace;
