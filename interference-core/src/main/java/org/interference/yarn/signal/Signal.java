package org.interference.yarn.signal;

import static org.interference.yarn.signal.Signal.Combination.SUM;
import static org.interference.yarn.signal.Signal.Combination.WEIGHTED_MEAN;
import static org.interference.yarn.signal.Signal.Scale.BYTE_RATE;
import static org.interference.yarn.signal.Signal.Scale.PROCESSORS;
import static org.interference.yarn.signal.Signal.Scale.RATE;
import static org.interference.yarn.signal.Signal.Scale.SHARE;
import static org.interference.yarn.signal.Signal.Scale.THREADS;
import static org.interference.yarn.signal.Signal.Scale.WORK_RATE;
import static org.interference.yarn.signal.Signal.Use.PREDICTED;
import static org.interference.yarn.signal.Signal.Use.TOLD;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is measured of a container: the seven IntP signals, its context-switch metric, and our own. This is their only definition: the
 * collector's Makefile takes id, name and scale from these rows, REST serves them to the page and the program, and docs/signals.md is
 * compared with them.
 *
 * <p>The id is the contract with the wire and the wire name the one with stored profiles and REST: neither is ever changed or
 * used again. Order is not; a new signal comes last.
 */
public enum Signal {
    NETP(
            1,
            SUM,
            SHARE,
            PREDICTED,
            "network bandwidth",
            "share of the NIC's bandwidth",
            "bits moved / nominal bit/s x s"),
    NETS(
            2,
            SUM,
            PROCESSORS,
            PREDICTED,
            "network stack",
            "mean CPUs",
            "ns of service of sent and received packets / ns"),
    BLK(
            3,
            SUM,
            SHARE,
            PREDICTED,
            "block queue",
            "mean requests in flight",
            "ns of service of disk requests, summed / ns"),
    MBW(
            4,
            SUM,
            SHARE,
            PREDICTED,
            "memory bandwidth",
            "share of the calibrated peak",
            "bytes moved / calibrated peak byte/s x s"),
    LLCMR(
            5,
            WEIGHTED_MEAN,
            SHARE,
            PREDICTED,
            "last-level cache miss ratio",
            "share of the references",
            "misses / references"),
    LLOCC(
            6,
            SUM,
            SHARE,
            PREDICTED,
            "last-level cache occupancy",
            "share of the cache",
            "byte ns held / cache bytes x ns"),
    CPU(
            7,
            SUM,
            SHARE,
            PREDICTED,
            "CPU time",
            "share of the node's CPUs",
            "ns on a CPU / ns x CPUs that containers may use"),
    CPUWAIT(
            8,
            WEIGHTED_MEAN,
            SHARE,
            PREDICTED,
            "run-queue delay",
            "share of its time",
            "ns waiting / ns waiting or running"),
    BLKWAIT(9, SUM, THREADS, PREDICTED, "I/O wait", "mean waiting threads", "ns of uninterruptible sleep for I/O / ns"),
    FUTEX(10, SUM, RATE, PREDICTED, "futex calls", "calls a second", "calls / s"),
    MEM(
            11,
            SUM,
            SHARE,
            TOLD,
            "working set",
            "share of the node's memory",
            "KiB s that reclaim cannot take / KiB of memory x s"),
    BLKR(12, SUM, SHARE, TOLD, "disk reads", "mean requests in flight", "ns of service of reads, summed / ns"),
    BLKW(13, SUM, SHARE, TOLD, "disk writes", "mean requests in flight", "ns of service of writes, summed / ns"),
    READB(14, SUM, BYTE_RATE, TOLD, "bytes read from disks", "bytes a second", "bytes / s"),
    WRITEB(15, SUM, BYTE_RATE, TOLD, "bytes written to disks", "bytes a second", "bytes / s"),
    SWITCHES(16, SUM, RATE, TOLD, "context switches", "switches a second", "times that a thread left a CPU / s"),
    PREEMPTED(17, SUM, RATE, TOLD, "pre-emption", "switches a second", "times that a thread had to leave a CPU / s"),
    CSW(
            18,
            SUM,
            THREADS,
            TOLD,
            "blocked time",
            "mean blocked threads",
            "ns from giving up a CPU to being on one again, summed / ns"),
    PSICPU(
            19,
            WEIGHTED_MEAN,
            SHARE,
            TOLD,
            "CPU pressure, some",
            "share of the time",
            "ns in which a task was stalled / ns"),
    PSIIO(
            20,
            WEIGHTED_MEAN,
            SHARE,
            TOLD,
            "I/O pressure, some",
            "share of the time",
            "ns in which a task was stalled / ns"),
    PSIMEM(
            21,
            WEIGHTED_MEAN,
            SHARE,
            TOLD,
            "memory pressure, some",
            "share of the time",
            "ns in which a task was stalled / ns"),
    PSICPUF(
            22,
            WEIGHTED_MEAN,
            SHARE,
            TOLD,
            "CPU pressure, full",
            "share of the time",
            "ns in which all tasks were stalled / ns"),
    PSIIOF(
            23,
            WEIGHTED_MEAN,
            SHARE,
            TOLD,
            "I/O pressure, full",
            "share of the time",
            "ns in which all tasks were stalled / ns"),
    PSIMEMF(
            24,
            WEIGHTED_MEAN,
            SHARE,
            TOLD,
            "memory pressure, full",
            "share of the time",
            "ns in which all tasks were stalled / ns"),
    MEMANON(25, SUM, SHARE, TOLD, "anonymous memory", "share of the node's memory", "KiB s held / KiB of memory x s"),
    MEMFILE(26, SUM, SHARE, TOLD, "page cache", "share of the node's memory", "KiB s held / KiB of memory x s"),
    INSTR(27, SUM, WORK_RATE, TOLD, "instructions", "instructions a second", "instructions / s"),
    PROGRESS(28, SUM, WORK_RATE, TOLD, "progress", "operations a second", "operations by the application's word / s"),
    DISK(
            29,
            SUM,
            SHARE,
            TOLD,
            "disk footprint",
            "share of the local directories",
            "KiB s in its work folders / KiB of the local directories x s");

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
        RATE(1e9),
        /** Bytes a second, likewise. */
        BYTE_RATE(1e12),
        /** Instructions, or what an application takes for one operation, a second: a node of thousands of CPUs has less. */
        WORK_RATE(1e14);

        private final double highest;

        Scale(double highest) {
            this.highest = highest;
        }
    }

    /** What is done with a level. */
    public enum Use {
        /** Slowdowns are predicted from it. */
        PREDICTED,
        /** It is reported, kept in profiles and shown; what sharing a node costs has not been measured with it (ADR-0039). */
        TOLD
    }

    /** Those that intpd measures on every node, the most telling first. */
    private static final List<Signal> EVERYWHERE = List.of(CPU, CPUWAIT, BLK, BLKWAIT, MEM);

    private static final List<Signal> PREDICTORS =
            Stream.of(values()).filter(Signal::isPredictor).toList();

    private static final Map<Integer, Signal> BY_ID =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(Signal::id, signal -> signal));

    private final int id;
    private final Combination combination;
    private final Scale scale;
    private final Use use;
    private final String meaning;
    private final String unit;
    private final String ratio;

    Signal(int id, Combination combination, Scale scale, Use use, String meaning, String unit, String ratio) {
        this.id = id;
        this.combination = combination;
        this.scale = scale;
        this.use = use;
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
        return scale == RATE || scale == BYTE_RATE || scale == WORK_RATE;
    }

    /** Returns whether slowdowns are predicted from it; of the others no model, prior or decision knows. */
    public boolean isPredictor() {
        return use == PREDICTED;
    }

    /** Returns those that slowdowns are predicted from, in their order. */
    public static List<Signal> predictors() {
        return PREDICTORS;
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
