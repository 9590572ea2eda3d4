/** Short lives of a real scheduler in virtual time, with faults drawn at random, and what must hold of each (ADR-0033). */
package org.interference.yarn.sim.faults;
