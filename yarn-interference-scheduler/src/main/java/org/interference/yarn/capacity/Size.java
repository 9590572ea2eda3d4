package org.interference.yarn.capacity;

/**
 * What a node has, or a container asks for, of what YARN counts. Other resources, as GPUs, are no part of it: they stay as they are configured.
 * Immutable.
 *
 * @param memoryMb MiB, {@code >= 0}
 * @param vcores {@code >= 0}
 */
public record Size(long memoryMb, int vcores) {
    public static final Size ZERO = new Size(0, 0);

    public Size {
        if (memoryMb < 0 || vcores < 0) {
            throw new IllegalArgumentException(
                    "a size is of at least 0, got %d MiB and %d vcores".formatted(memoryMb, vcores));
        }
    }

    /** Returns both together; no more than the largest number there is. */
    public Size plus(Size other) {
        long memory = memoryMb + other.memoryMb;
        long cores = (long) vcores + other.vcores;
        return new Size(memory < 0 ? Long.MAX_VALUE : memory, (int) Math.min(Integer.MAX_VALUE, cores));
    }

    /** Returns what is left of this without {@code other}, of each resource at least 0. */
    public Size minus(Size other) {
        return new Size(Math.max(0, memoryMb - other.memoryMb), Math.max(0, vcores - other.vcores));
    }

    /** Returns the larger amount of each resource. */
    public Size or(Size other) {
        return new Size(Math.max(memoryMb, other.memoryMb), Math.max(vcores, other.vcores));
    }

    /** Returns the smaller amount of each resource. */
    public Size and(Size other) {
        return new Size(Math.min(memoryMb, other.memoryMb), Math.min(vcores, other.vcores));
    }

    /** Returns {@code factor} times as much, rounded down; {@code factor >= 0}. */
    public Size times(double factor) {
        // A cast saturates.
        return new Size((long) (memoryMb * factor), (int) (vcores * factor));
    }

    /** Returns whether {@code other} has at least as much of each resource. */
    public boolean fitsIn(Size other) {
        return memoryMb <= other.memoryMb && vcores <= other.vcores;
    }

    /** Returns whether nothing that needs memory and a vcore fits. */
    boolean isNothing() {
        return memoryMb == 0 || vcores == 0;
    }

    /**
     * Returns whether a container of size {@code request} is on this node, which is configured so large, only because the node was grown: whether it
     * does not fit beside what was there already. ApplicationMasters must not be.
     *
     * @param used by all containers that the node had before, but those that are there by growth
     */
    public boolean holdsOnlyGrown(Size used, Size request) {
        return !used.plus(request).fitsIn(this);
    }
}
