package org.interference.yarn.nm.collect;

import java.util.Optional;
import java.util.OptionalLong;

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
        String[] fields = schedstat.strip().split(" ", -1);
        if (fields.length < 2) {
            return Optional.empty();
        }
        return number(fields[0])
                .flatMap(onCpu -> number(fields[1]).map(wait -> new ThreadCounts(onCpu, wait, OptionalLong.empty())));
    }

    /** Adds the block delay in {@code stat}, the text of {@code /proc/PID/task/TID/stat}. */
    ThreadCounts withBlockDelay(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
        if (fields.length <= BLKIO_TICKS) {
            return this;
        }
        return number(fields[BLKIO_TICKS])
                .map(ticks -> new ThreadCounts(onCpuNanos, waitNanos, OptionalLong.of(ticks * NANOS_PER_TICK)))
                .orElse(this);
    }

    private static Optional<Long> number(String text) {
        try {
            return Optional.of(Long.valueOf(text)).filter(value -> value >= 0);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
