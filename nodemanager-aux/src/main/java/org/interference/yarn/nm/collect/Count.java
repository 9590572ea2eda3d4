package org.interference.yarn.nm.collect;

import java.util.Objects;

/** What a source has counted of one signal of one container: two cumulative counts, or the reason why there are none. */
public sealed interface Count {
    /** Who counted: {@code proc}, {@code ebpf}, ... */
    String source();

    /**
     * Two counts that only grow; the level over a window is the growth of {@code used} over that of {@code capacity}.
     *
     * @param used for CPU, say, nanoseconds on a CPU
     * @param capacity in the unit of {@code used}: for CPU, nanoseconds x CPUs; for a ratio, its references
     * @param apportioned whether {@code used} is a share of a node-wide figure
     * @param epoch another number says that the source began to count from zero again
     */
    record Counted(double used, double capacity, boolean apportioned, String source, long epoch) implements Count {
        public Counted {
            Objects.requireNonNull(source, "source is null");
        }

        /** Counts of a source that begins once. */
        public Counted(double used, double capacity, boolean apportioned, String source) {
            this(used, capacity, apportioned, source, 0);
        }

        /** Returns whether the growth from {@code earlier} to these counts is a measurement. */
        boolean continues(Counted earlier) {
            return epoch == earlier.epoch && source.equals(earlier.source);
        }
    }

    /** No count, and why; the reason names no container or pid, because equal reasons travel once per heartbeat. */
    record NotCounted(String reason, String source) implements Count {
        public NotCounted {
            Objects.requireNonNull(reason, "reason is null");
            Objects.requireNonNull(source, "source is null");
        }
    }
}
