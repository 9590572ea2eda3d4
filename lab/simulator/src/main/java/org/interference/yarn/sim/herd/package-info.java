/** Herd's scenarios and conditions, on which its placement policies were published. Pure. */
package org.interference.yarn.sim.herd;
