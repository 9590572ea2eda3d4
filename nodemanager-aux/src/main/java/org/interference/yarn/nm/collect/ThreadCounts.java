package org.interference.yarn.nm.collect;

import java.util.Optional;
import java.util.OptionalLong;
import org.interference.yarn.nm.attribute.Fields;

/**
 * What the kernel has counted of one thread since it started.
 *
 * @param onCpuNanos time on a CPU
 * @param waitNanos time runnable, but waiting for a CPU
 * @param blockDelayNanos time waiting for block I/O; empty where delay accounting is off
 */
record ThreadCounts(long onCpuNanos, long waitNanos, OptionalLong blockDelayNanos) {
    /** The kernel's user-visible tick, 1/100 s on every architecture that Hadoop runs on. */
    private static final long NANOS_PER_TICK = 10_000_000;

    /** Field 42 of {@code /proc/PID/task/TID/stat}, counted after the parenthesis that closes field 2. */
    private static final int BLKIO_TICKS = 42 - 3;

    /** Parses the text of {@code /proc/PID/task/TID/schedstat}. */
    static Optional<ThreadCounts> parse(String schedstat) {
        long onCpu = Fields.number(schedstat, 0, 0);
        long wait = Fields.number(schedstat, 0, 1);
        return onCpu < 0 || wait < 0
                ? Optional.empty()
                : Optional.of(new ThreadCounts(onCpu, wait, OptionalLong.empty()));
    }

    /** Adds the block delay in {@code stat}, the text of {@code /proc/PID/task/TID/stat}. */
    ThreadCounts withBlockDelay(String stat) {
        long ticks = Fields.number(stat, stat.lastIndexOf(')') + 2, BLKIO_TICKS);
        return ticks < 0 ? this : new ThreadCounts(onCpuNanos, waitNanos, OptionalLong.of(ticks * NANOS_PER_TICK));
    }
}
