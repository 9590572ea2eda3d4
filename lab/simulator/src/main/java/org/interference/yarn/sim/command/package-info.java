/** The program simulate. A question comes in as options; the simulator's answer goes out as text or JSON. */
package org.interference.yarn.sim.command;
