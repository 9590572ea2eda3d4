package org.interference.yarn.signal;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is measured of a container: the seven IntP signals and three of our own (DESIGN.md section 3).
 *
 * <p>The id is the contract with the wire and the wire name the one with stored profiles and REST; order is not.
 */
public enum Signal {
    /** NIC bandwidth: (rx + tx bytes) x 8 / (dt x nominal bit/s). */
    NETP(1, Combination.SUM, Highest.SHARE),
    /** Network stack: service time of sent and received packets / dt. */
    NETS(2, Combination.SUM, Highest.PROCESSORS),
    /** Block queue: sum of service time of the container's requests / dt, which is its mean requests in flight. */
    BLK(3, Combination.SUM, Highest.SHARE),
    /** Memory bandwidth: bytes moved / (dt x calibrated peak). */
    MBW(4, Combination.SUM, Highest.SHARE),
    /** Last-level cache miss ratio: misses / references. */
    LLCMR(5, Combination.WEIGHTED_MEAN, Highest.SHARE),
    /** Last-level cache occupancy: bytes held / cache size. */
    LLOCC(6, Combination.SUM, Highest.SHARE),
    /** CPU: on-CPU time / (dt x CPUs of the node). */
    CPU(7, Combination.SUM, Highest.SHARE),
    /** Run-queue delay: wait / (on-CPU + wait). */
    CPUWAIT(8, Combination.WEIGHTED_MEAN, Highest.SHARE),
    /** Uninterruptible I/O wait: thread time spent waiting for block I/O / dt; several waiting threads exceed 1. */
    BLKWAIT(9, Combination.SUM, Highest.THREADS),
    /** Futex calls: calls / s; it has no capacity to be a fraction of. */
    FUTEX(10, Combination.SUM, Highest.CALLS);

    /** How the levels of containers that share a node become the node's level. */
    public enum Combination {
        /** Demands on one capacity add up. */
        SUM,
        /** A ratio is averaged by its references; it never adds. */
        WEIGHTED_MEAN
    }

    /** The highest levels that one container can have. */
    private static final class Highest {
        /** What was calibrated or is read as the capacity may be far too low, and a window far too short, but not by more. */
        static final double SHARE = 64;
        /** Each processor of a node can be busy with it. */
        static final double PROCESSORS = 1024;
        /** Each thread of a container can wait. */
        static final double THREADS = 65_536;

        static final double CALLS = 1e9;
    }

    private static final Map<Integer, Signal> BY_ID =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(Signal::id, signal -> signal));

    private final int id;
    private final Combination combination;
    private final double highest;

    Signal(int id, Combination combination, double highest) {
        this.id = id;
        this.combination = combination;
        this.highest = highest;
    }

    public int id() {
        return id;
    }

    public Combination combination() {
        return combination;
    }

    /** Returns the highest level that one container can have; a higher one is no measurement. */
    public double highest() {
        return highest;
    }

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the signal with {@code id}; empty for an id of a newer peer. */
    public static Optional<Signal> ofId(int id) {
        return Optional.ofNullable(BY_ID.get(id));
    }

    /** Returns the signal with {@code wireName}; empty for a name that is not ours. */
    public static Optional<Signal> ofWireName(String wireName) {
        return Stream.of(values())
                .filter(signal -> signal.wireName().equals(wireName))
                .findFirst();
    }
}
