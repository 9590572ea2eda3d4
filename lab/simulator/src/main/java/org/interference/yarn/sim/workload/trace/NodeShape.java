package org.interference.yarn.sim.workload.trace;

/**
 * What a node of the traced cluster has, to tell which part of it a task took. Immutable.
 *
 * @param cores positive
 * @param diskBytesPerSecond of all its disks under several streams, positive
 * @param networkBytesPerSecond of its NIC, positive
 */
public record NodeShape(double cores, double diskBytesPerSecond, double networkBytesPerSecond) {
    /** 4 cores, one spinning disk under several streams (60 MB/s) and 1 Gbit/s. No trace says what its nodes were. */
    public static final NodeShape DEFAULT = new NodeShape(4, 60e6, 125e6);

    public NodeShape {
        requirePositive("cores", cores);
        requirePositive("disk bytes/s", diskBytesPerSecond);
        requirePositive("network bytes/s", networkBytesPerSecond);
    }

    private static void requirePositive(String what, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("a node's %s must be positive, got %s".formatted(what, value));
        }
    }
}
