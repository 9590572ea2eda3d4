package org.interference.yarn.capacity;

import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The size that a node should have, and why. Immutable.
 *
 * @param size what to set: never more than {@link GovernorSettings#maxFactor} times what is configured; with {@link Action#SHRINK} never less than what
 *     runs, unless that is more than this or than it has already; with {@link Action#BACK} what is configured. No container may be killed for it but those of {@code evictions}
 * @param evictions in this order; empty nearly always
 */
public record SizeDecision(
        String node, Action action, Reason reason, Size size, Figures figures, List<Eviction> evictions) {
    public SizeDecision {
        evictions = List.copyOf(evictions);
    }

    /** What is to be done. */
    public enum Action {
        /** The size is right. */
        KEEP,
        /** No further container: what is left of the node, or a part of it, is taken away. */
        SHRINK,
        /** A step more. */
        GROW,
        /** The configured size, at once. */
        BACK
    }

    /** Why. The name is also the counter. */
    public enum Reason {
        /** Nothing speaks for another size. */
        CONFIGURED,
        /** It is configured with no memory or no vcores: nobody is to run there. */
        NOTHING_CONFIGURED,
        /** Somebody has configured another size, and it begins anew. */
        CONFIGURED_ANEW,
        /** There is no report, or the newest is too old. */
        NO_REPORT,
        /** The node has almost no memory left, or what runs there uses almost all that is configured, or somebody has waited in vain for what is configured of it: who is there by growth may have to go. */
        MEMORY_SHORT,
        /** Tasks are stalled for I/O or CPUs: the node does not grow, and goes back if it lasts. */
        PRESSURE,
        /** The disk of the local directories is almost full. */
        DISK_FULL,
        /** Nobody has waited for a while. */
        NOBODY_WAITS,
        /** One more would surely add to the node's work. */
        GAIN,
        /** One more of those who would gain fits already. */
        ROOM,
        /** It is not known of anybody who waits what it would gain. */
        GAIN_UNKNOWN,
        /** Of nobody who waits is it sure that it would gain. */
        GAIN_UNSURE,
        /** With one more, memory might not suffice. */
        MEMORY,
        /** It has grown by the factor that it may. */
        MOST,
        /** The step before was taken a moment ago. */
        TOO_SOON,
        /** It had to go back not long ago. */
        HELD_OFF,
        /** Growing has cost too much work already, on all nodes together. */
        LOSSES
    }

    /**
     * What it was decided by.
     *
     * @param gainAtLeast the highest lower bound of what one of those that wait would add, in tasks alone; empty if it is not known
     * @param gainAtMost the highest upper bound of the same
     * @param memoryMb what is expected to be used at the most by what runs, MiB
     * @param limitMb what may be used, MiB
     */
    public record Figures(OptionalDouble gainAtLeast, OptionalDouble gainAtMost, double memoryMb, double limitMb) {
        public static final Figures NONE = new Figures(OptionalDouble.empty(), OptionalDouble.empty(), 0, 0);
    }

    /**
     * A container that has to go.
     *
     * @param lost work that is lost by it: how long it has run
     */
    public record Eviction(String container, Duration lost) {}
}
