package org.interference.yarn.signal;

import static org.interference.yarn.signal.Signal.Combination.SUM;
import static org.interference.yarn.signal.Signal.Combination.WEIGHTED_MEAN;
import static org.interference.yarn.signal.Signal.Scale.PROCESSORS;
import static org.interference.yarn.signal.Signal.Scale.RATE;
import static org.interference.yarn.signal.Signal.Scale.SHARE;
import static org.interference.yarn.signal.Signal.Scale.THREADS;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is measured of a container: the seven IntP signals and three of our own. This is their only definition: the collector's
 * Makefile takes id, name and scale from these rows, REST serves them to the page and the program, and docs/signals.md is
 * compared with them.
 *
 * <p>The id is the contract with the wire and the wire name the one with stored profiles and REST: neither is ever changed or
 * used again. Order is not; a new signal comes last.
 */
public enum Signal {
    NETP(1, SUM, SHARE, "network bandwidth", "share of the NIC's bandwidth", "bits moved / nominal bit/s x s"),
    NETS(2, SUM, PROCESSORS, "network stack", "mean CPUs", "ns of service of sent and received packets / ns"),
    BLK(3, SUM, SHARE, "block queue", "mean requests in flight", "ns of service of disk requests, summed / ns"),
    MBW(4, SUM, SHARE, "memory bandwidth", "share of the calibrated peak", "bytes moved / calibrated peak byte/s x s"),
    LLCMR(5, WEIGHTED_MEAN, SHARE, "last-level cache miss ratio", "share of the references", "misses / references"),
    LLOCC(6, SUM, SHARE, "last-level cache occupancy", "share of the cache", "byte ns held / cache bytes x ns"),
    CPU(7, SUM, SHARE, "CPU time", "share of the node's CPUs", "ns on a CPU / ns x CPUs that containers may use"),
    CPUWAIT(8, WEIGHTED_MEAN, SHARE, "run-queue delay", "share of its time", "ns waiting / ns waiting or running"),
    BLKWAIT(9, SUM, THREADS, "I/O wait", "mean waiting threads", "ns of uninterruptible sleep for I/O / ns"),
    FUTEX(10, SUM, RATE, "futex calls", "calls a second", "calls / s");

    /** How the levels of containers that share a node become the node's level. */
    public enum Combination {
        /** Demands on one capacity add up. */
        SUM,
        /** A ratio is averaged by its references; it never adds. */
        WEIGHTED_MEAN
    }

    /** What a level is counted in, which bounds it. */
    public enum Scale {
        /** What was calibrated or is read as the capacity may be far too low, and a window far too short, but not by more. */
        SHARE(64),
        /** Each processor of a node can be busy with it. */
        PROCESSORS(1024),
        /** Each thread of a container can wait. */
        THREADS(65_536),
        /** Events a second: there is no capacity to be a share of. */
        RATE(1e9);

        private final double highest;

        Scale(double highest) {
            this.highest = highest;
        }
    }

    /** Those that every node can measure, the most telling first. */
    private static final List<Signal> EVERYWHERE = List.of(CPU, CPUWAIT, BLK, BLKWAIT);

    private static final Map<Integer, Signal> BY_ID =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(Signal::id, signal -> signal));

    private final int id;
    private final Combination combination;
    private final Scale scale;
    private final String meaning;
    private final String unit;
    private final String ratio;

    Signal(int id, Combination combination, Scale scale, String meaning, String unit, String ratio) {
        this.id = id;
        this.combination = combination;
        this.scale = scale;
        this.meaning = meaning;
        this.unit = unit;
        this.ratio = ratio;
    }

    public int id() {
        return id;
    }

    public Combination combination() {
        return combination;
    }

    /** Returns the highest level that one container can have; a higher one is no measurement. */
    public double highest() {
        return scale.highest;
    }

    /** Returns whether levels are events a second, so that there is no capacity to fill. */
    public boolean isRate() {
        return scale == RATE;
    }

    /** Returns what it is, in a few words. */
    public String meaning() {
        return meaning;
    }

    /** Returns what a level is in. */
    public String unit() {
        return unit;
    }

    /** Returns what a level is: growth of what is counted / growth of its capacity. */
    public String ratio() {
        return ratio;
    }

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns all signals in the order for people: what every node measures first, rates last. */
    public static List<Signal> mostTellingFirst() {
        return Stream.of(values())
                .sorted(Comparator.comparing(Signal::isRate)
                        .thenComparing(
                                signal -> EVERYWHERE.contains(signal) ? EVERYWHERE.indexOf(signal) : EVERYWHERE.size()))
                .toList();
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
