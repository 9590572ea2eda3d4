package org.interference.yarn.sim.engine;

/**
 * How large a cluster is. Immutable.
 *
 * @param nodes from 1 to 60,000
 * @param slotsPerNode how many tasks fit on a node
 */
public record ClusterShape(int nodes, int slotsPerNode) {
    private static final int MOST_NODES = 60_000;

    public ClusterShape {
        if (nodes < 1 || nodes > MOST_NODES || slotsPerNode < 1) {
            throw new IllegalArgumentException(
                    "a cluster has 1 to %d nodes of at least one slot, got %d nodes of %d slots"
                            .formatted(MOST_NODES, nodes, slotsPerNode));
        }
    }

    public int slots() {
        return nodes * slotsPerNode;
    }
}
