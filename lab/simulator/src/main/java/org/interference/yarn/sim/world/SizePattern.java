package org.interference.yarn.sim.world;

import java.util.List;

/**
 * How large nodes are, as multiples of the one whose shares the demands of tasks are in. Immutable.
 *
 * @param pattern the sizes of the first nodes, above 0 and 1 on average; then it begins anew
 */
public record SizePattern(List<Double> pattern) {
    /** All of them are alike. */
    public static final SizePattern EQUAL = new SizePattern(List.of(1.0));

    public SizePattern {
        pattern = List.copyOf(pattern);
    }

    /** Returns the size of the node with this index. */
    public double of(int node) {
        return pattern.get(node % pattern.size());
    }

    /** Returns how many tasks fit on it, if {@code slots} fit on a node of size 1. */
    public int slots(int node, int slots) {
        return Math.max(1, (int) Math.round(slots * of(node)));
    }
}
