/** Herd's staircase scenarios, on which its placement policies were published. Pure. */
package org.interference.yarn.sim.herd;
