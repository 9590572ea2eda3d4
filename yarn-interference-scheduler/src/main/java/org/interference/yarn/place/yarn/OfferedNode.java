package org.interference.yarn.place.yarn;

import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSet;

/**
 * The one node that YARN offers to its queues, and for {@link InterferenceAppPlacementAllocator} those that could be taken instead: to
 * all other code this is the parent's set of one. Immutable.
 *
 * @param visits to nodes of one partition; to the offered one first
 */
record OfferedNode<N extends SchedulerNode>(List<Visit<N>> visits) implements CandidateNodeSet<N> {
    OfferedNode {
        visits = List.copyOf(visits);
    }

    List<N> choices() {
        return visits.stream().map(Visit::node).toList();
    }

    /** Returns the visit to one of them; a new one to any other node. */
    @SuppressWarnings("ReferenceEquality") // The very nodes.
    Visit<N> visit(N node) {
        return visits.stream().filter(visit -> visit.node() == node).findFirst().orElseGet(() -> new Visit<>(node));
    }

    N node() {
        return visits.get(0).node();
    }

    @Override
    public Map<NodeId, N> getAllNodes() {
        return Map.of(node().getNodeID(), node());
    }

    @Override
    public long getVersion() {
        return 0;
    }

    @Override
    public String getPartition() {
        return node().getPartition();
    }
}
