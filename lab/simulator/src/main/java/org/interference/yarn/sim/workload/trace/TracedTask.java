package org.interference.yarn.sim.workload.trace;

import java.time.Duration;
import java.util.OptionalDouble;

/**
 * What a trace says of one task that succeeded. Immutable.
 *
 * @param ran how long, positive; in the cluster of the trace, and so with its interference
 * @param cpuSeconds on-CPU time; empty where the trace does not say
 * @param diskBytes read and written, on local disks and on HDFS
 * @param networkBytes fetched by the shuffle, and sent to the first replica of what was written to HDFS
 */
record TracedTask(Duration ran, OptionalDouble cpuSeconds, long diskBytes, long networkBytes) {}
