package org.interference.yarn.signal;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a node says of itself, containers and all else on it together (Herd's monitor, 4). Rates and shares are of the last window.
 *
 * <p>As of {@link Signal}, the id is the contract with the wire and the wire name the one with REST; neither is ever changed or used again.
 */
public enum NodeMetric {
    CPU(1, "CPUs that are busy", Unit.SHARE),
    IRQ(2, "CPUs that serve interrupts", Unit.SHARE),
    STEAL(3, "CPUs that a hypervisor gave to others", Unit.SHARE),
    MEMORY(4, "memory that is not available to a new process", Unit.SHARE),
    SWITCHES(5, "context switches", Unit.RATE),
    INTERRUPTS(6, "interrupts", Unit.RATE),
    FAULTS(7, "page faults", Unit.RATE),
    MAJORFAULTS(8, "page faults that read a disk", Unit.RATE),
    RUNNABLE(9, "threads that run or wait for a CPU", Unit.NUMBER),
    BLOCKED(10, "threads that wait for a disk", Unit.NUMBER),
    THREADS(11, "threads", Unit.NUMBER),
    READS(12, "requests that read from disks", Unit.RATE),
    WRITES(13, "requests that write to disks", Unit.RATE),
    READB(14, "bytes read from disks", Unit.RATE),
    WRITEB(15, "bytes written to disks", Unit.RATE),
    DISK(16, "requests in flight at the disks", Unit.NUMBER),
    PSICPU(17, "time in which some task was stalled for a CPU", Unit.SHARE),
    PSIIO(18, "time in which some task was stalled for I/O", Unit.SHARE),
    PSIMEM(19, "time in which some task was stalled for memory", Unit.SHARE),
    PSIIOF(20, "time in which all tasks were stalled for I/O", Unit.SHARE),
    PSIMEMF(21, "time in which all tasks were stalled for memory", Unit.SHARE),
    SPACE(22, "space that is used on the fullest disk of YARN's local directories", Unit.SHARE),
    CPUS(23, "CPUs that are online", Unit.NUMBER),
    MEMORYBYTES(24, "memory of the machine, in bytes", Unit.NUMBER),
    DISKRATE(25, "bytes a second that the disks of YARN's local directories can move", Unit.NUMBER),
    NETWORKRATE(26, "bits a second that the network interfaces can move, nominal, in one direction", Unit.NUMBER);

    /** What a value is in. */
    public enum Unit {
        /** Of all there is, from 0 to 1. */
        SHARE,
        /** A second. */
        RATE,
        NUMBER
    }

    private static final Map<Integer, NodeMetric> BY_ID =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(NodeMetric::id, metric -> metric));

    private final int id;
    private final String meaning;
    private final Unit unit;

    NodeMetric(int id, String meaning, Unit unit) {
        this.id = id;
        this.meaning = meaning;
        this.unit = unit;
    }

    /** From 1 to 255. */
    public int id() {
        return id;
    }

    public String meaning() {
        return meaning;
    }

    public Unit unit() {
        return unit;
    }

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the metric with {@code id}; empty for an id of a newer peer. */
    public static Optional<NodeMetric> ofId(int id) {
        return Optional.ofNullable(BY_ID.get(id));
    }

    /** Returns the metric with {@code wireName}; empty for a name that is not ours. */
    public static Optional<NodeMetric> ofWireName(String wireName) {
        return Stream.of(values())
                .filter(metric -> metric.wireName().equals(wireName))
                .findFirst();
    }

    /** Returns those that a node's history has unless it is configured otherwise. */
    public static List<NodeMetric> telling() {
        return List.of(CPU, MEMORY, DISK, SWITCHES, PSICPU, PSIIO, PSIMEM, SPACE);
    }
}
