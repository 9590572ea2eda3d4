/** What is to be run. A seed or a trace comes in; jobs with their tasks go out. */
package org.interference.yarn.sim.workload;
