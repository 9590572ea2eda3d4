/** The rows of the report. What a run offers comes in; a scheduler goes out. */
package org.interference.yarn.sim.policy;
