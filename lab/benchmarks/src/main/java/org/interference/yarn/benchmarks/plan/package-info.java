/** How good and how fast the planner's solvers are. */
package org.interference.yarn.benchmarks.plan;
