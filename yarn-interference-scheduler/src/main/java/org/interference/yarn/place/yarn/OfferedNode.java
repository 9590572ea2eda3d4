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
 * @param choices nodes of one partition; the offered one first
 */
public record OfferedNode<N extends SchedulerNode>(List<N> choices) implements CandidateNodeSet<N> {
    public OfferedNode {
        choices = List.copyOf(choices);
    }

    N node() {
        return choices.get(0);
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
