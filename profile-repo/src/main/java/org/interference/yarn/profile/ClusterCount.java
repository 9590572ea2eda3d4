package org.interference.yarn.profile;

/**
 * Into how many clusters profiles that are alike are put. Immutable.
 *
 * @param fixed the number; 0: it is found, or by the nodes
 * @param byNodes as many as the cluster has nodes: "the higher the number of nodes, the greater the granularity" (Xavier, PUCRS 2019, 4.3)
 */
public record ClusterCount(int fixed, boolean byNodes) {
    /** Of the numbers that are tried, the one with the best silhouette. */
    public static final ClusterCount BEST = new ClusterCount(0, false);

    static final int FEWEST = 2;
    static final int MOST = 64;

    private static final String BEST_NAME = "best";
    private static final String NODES_NAME = "nodes";

    /** @throws IllegalArgumentException if {@code text} is neither 'best' nor 'nodes' nor a whole number from 2 to 64 */
    static ClusterCount parse(String text) {
        if (text.equals(BEST_NAME)) {
            return BEST;
        }
        if (text.equals(NODES_NAME)) {
            return new ClusterCount(0, true);
        }
        int number = Integer.parseInt(text);
        if (number < FEWEST || number > MOST) {
            throw new IllegalArgumentException("%d is not from %d to %d".formatted(number, FEWEST, MOST));
        }
        return new ClusterCount(number, false);
    }

    /** Returns how many there are to be on a cluster of so many nodes; 0: as many as look best. */
    public int of(int nodes) {
        return byNodes ? Math.max(FEWEST, Math.min(MOST, nodes)) : fixed;
    }
}
