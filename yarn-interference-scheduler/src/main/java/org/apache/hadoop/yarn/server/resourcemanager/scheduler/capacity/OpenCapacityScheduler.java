package org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity;

import java.util.Optional;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSet;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSetUtils;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * The CapacityScheduler with one decision open: what an asynchronous pass, which visits one node after the other, offers to the
 * queues. In YARN's package, because YARN keeps that method there; everything else is the parent's. Nodes with a reservation or
 * without space, heartbeats of synchronous scheduling, and multi-node placement, go to the parent.
 */
public abstract class OpenCapacityScheduler extends CapacityScheduler {

    /**
     * Returns what to offer where the parent offers {@code parents}, the set of {@code node} alone: that, or a set that all but our
     * own code takes for it; empty to hold the node back until it is offered again. Must not throw.
     */
    protected abstract Optional<CandidateNodeSet<FiCaSchedulerNode>> offer(
            FiCaSchedulerNode node, CandidateNodeSet<FiCaSchedulerNode> parents);

    /** Called if nobody took anything of what was offered in place of {@code node}. Must not throw. */
    protected abstract void unwanted(FiCaSchedulerNode node);

    @Override
    CSAssignment allocateContainersToNode(CandidateNodeSet<FiCaSchedulerNode> parents, boolean withNodeHeartbeat) {
        FiCaSchedulerNode node = CandidateNodeSetUtils.getSingleNode(parents);
        if (node == null || withNodeHeartbeat || isMultiNodePlacementEnabled() || !isOpen(node, Resources.none())) {
            return super.allocateContainersToNode(parents, withNodeHeartbeat);
        }
        Optional<CandidateNodeSet<FiCaSchedulerNode>> offer = offer(node, parents);
        if (offer.isEmpty()) {
            return null;
        }
        CSAssignment assignment = super.allocateContainersToNode(offer.get(), false);
        if (assignment == null || Resources.isNone(assignment.getResource())) {
            unwanted(node);
        }
        return assignment;
    }

    /** Returns whether {@code node} has space that is reserved for nobody, without what is {@code promised}. */
    protected final boolean isOpen(FiCaSchedulerNode node, Resource promised) {
        if (node.getReservedContainer() != null) {
            return false;
        }
        Resource least = getMinimumResourceCapability();
        // Resources are slow to make, and mostly nothing is promised.
        boolean promisesNothing = promised.equals(Resources.none());
        return Resources.fitsIn(
                promisesNothing ? least : Resources.add(least, promised), node.getUnallocatedResource());
    }
}
