/** A cluster in virtual time. Jobs, a world and a policy's real scheduler come in; what happened to every task goes out. */
package org.interference.yarn.sim.engine;
