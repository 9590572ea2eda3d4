package org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity;

import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.SimpleCandidateNodeSet;

/** What a thread of asynchronous scheduling does, by hand. In YARN's package, because YARN keeps that method there. */
public final class VisitedNodes {
    private VisitedNodes() {}

    /** Offers {@code node} to the queues, as in the course of a pass over all nodes. */
    public static void visit(AbstractYarnScheduler<?, ?> scheduler, RMNode node) {
        CapacityScheduler capacity = (CapacityScheduler) scheduler;
        capacity.allocateContainersToNode(new SimpleCandidateNodeSet<>(capacity.getNode(node.getNodeID())), false);
    }
}
