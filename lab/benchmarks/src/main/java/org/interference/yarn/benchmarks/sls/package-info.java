/** The scheduler under Hadoop's Scheduler Load Simulator, from end to end; the program behind bin/lab load-simulator. */
package org.interference.yarn.benchmarks.sls;
