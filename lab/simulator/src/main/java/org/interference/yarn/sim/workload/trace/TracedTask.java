package org.interference.yarn.sim.workload.trace;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a trace says of one task that succeeded. Immutable.
 *
 * @param ran how long, positive; in the cluster of the trace, and so with its interference
 * @param cpuSeconds on-CPU time; empty where the trace does not say
 * @param diskBytes read and written, on local disks and on HDFS
 * @param networkBytes fetched by the shuffle, and sent to the first replica of what was written to HDFS
 * @param uncounted of a trace that has no counters, which tasks are alike; empty where it has some
 */
record TracedTask(
        Duration ran, OptionalDouble cpuSeconds, long diskBytes, long networkBytes, Optional<Alike> uncounted) {
    /** Tasks of one type of one application. */
    record Alike(String application, String type) {}

    TracedTask(Duration ran, OptionalDouble cpuSeconds, long diskBytes, long networkBytes) {
        this(ran, cpuSeconds, diskBytes, networkBytes, Optional.empty());
    }

    static TracedTask uncounted(Duration ran, Alike alike) {
        return new TracedTask(ran, OptionalDouble.empty(), 0, 0, Optional.of(alike));
    }
}
