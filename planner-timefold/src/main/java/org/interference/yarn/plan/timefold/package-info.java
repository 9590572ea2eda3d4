/** Timefold on the planner's cost. What it costs is the planner's own arrangement's to say. */
package org.interference.yarn.plan.timefold;
