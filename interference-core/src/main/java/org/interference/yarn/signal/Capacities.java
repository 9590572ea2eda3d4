package org.interference.yarn.signal;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What a node has of what levels are shares of. Immutable. What it does not tell is not a number.
 *
 * @param cpus online
 * @param memoryBytes of the machine
 * @param diskBytesPerSecond that the disks of YARN's local directories can move
 * @param networkBitsPerSecond that the network interfaces can move, nominal, in one direction
 */
public record Capacities(double cpus, double memoryBytes, double diskBytesPerSecond, double networkBitsPerSecond) {
    /** Machines of one kind differ by what firmware and kernel keep of their memory. */
    private static final double ALIKE = 0.05;

    /** Nothing is told. */
    public static final Capacities UNKNOWN = new Capacities(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    /** What is not above 0 is not told. */
    public Capacities {
        cpus = known(cpus);
        memoryBytes = known(memoryBytes);
        diskBytesPerSecond = known(diskBytesPerSecond);
        networkBitsPerSecond = known(networkBitsPerSecond);
    }

    /** Returns whether two machines may be of one kind that have so much of something; false if one of both is no number. */
    public static boolean areAlike(double one, double other) {
        return Math.abs(one / other - 1) <= ALIKE;
    }

    private static double known(double capacity) {
        return capacity > 0 && capacity <= Double.MAX_VALUE ? capacity : Double.NaN;
    }

    /** Returns what a node says of itself. */
    public static Capacities of(NodeFigures figures) {
        ToDoubleFunction<NodeMetric> told = metric -> figures.value(metric).orElse(Double.NaN);
        return new Capacities(
                told.applyAsDouble(NodeMetric.CPUS),
                told.applyAsDouble(NodeMetric.MEMORYBYTES),
                told.applyAsDouble(NodeMetric.DISKRATE),
                told.applyAsDouble(NodeMetric.NETWORKRATE));
    }

    /** Returns what is told, by the name of the component, in their order. */
    public Map<String, Double> told() {
        Map<String, Double> told = new LinkedHashMap<>();
        told.put("cpus", cpus);
        told.put("memoryBytes", memoryBytes);
        told.put("diskBytesPerSecond", diskBytesPerSecond);
        told.put("networkBitsPerSecond", networkBitsPerSecond);
        told.values().removeIf(capacity -> Double.isNaN(capacity));
        return told;
    }

    /** Returns these, and of {@code others} what these do not tell. */
    public Capacities or(Capacities others) {
        return new Capacities(
                or(cpus, others.cpus),
                or(memoryBytes, others.memoryBytes),
                or(diskBytesPerSecond, others.diskBytesPerSecond),
                or(networkBitsPerSecond, others.networkBitsPerSecond));
    }

    private static double or(double capacity, double other) {
        return Double.isNaN(capacity) ? other : capacity;
    }

    /** Returns what a level of {@code signal} is a share of; not a number if that is not told, or if it is a share of nothing of these. */
    double of(Signal signal) {
        return switch (signal) {
            case CPU -> cpus;
            case MEM, MEMANON, MEMFILE -> memoryBytes;
            case BLK, BLKR, BLKW -> diskBytesPerSecond;
            case NETP -> networkBitsPerSecond;
            default -> Double.NaN;
        };
    }
}
