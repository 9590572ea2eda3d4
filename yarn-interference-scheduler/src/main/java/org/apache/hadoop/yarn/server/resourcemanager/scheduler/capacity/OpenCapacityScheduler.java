package org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity;

import java.util.Optional;
import org.apache.hadoop.util.Time;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSet;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSetUtils;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.hadoop.HadoopLine;

/**
 * The CapacityScheduler with one decision open: what an asynchronous pass, which visits one node after the other, offers to the
 * queues. In YARN's package, because YARN keeps that method there; everything else is the parent's. Nodes that are not open,
 * heartbeats of synchronous scheduling, and multi-node placement, go to the parent.
 */
public abstract class OpenCapacityScheduler extends CapacityScheduler {
    private static final boolean GUARD_IS_PRIVATE =
            HadoopLine.of(VersionInfo.getVersion()).equals(Optional.of(HadoopLine.V3_3));

    /**
     * Returns what to offer where the parent offers {@code parents}, the set of {@code node} alone: that very set, or one that all but
     * our own code takes for it; empty to hold the node back until it is offered again. Must not throw.
     */
    protected abstract Optional<CandidateNodeSet<FiCaSchedulerNode>> offer(
            FiCaSchedulerNode node, CandidateNodeSet<FiCaSchedulerNode> parents);

    /** Called before the queues are offered anything, by each visit of a node or pass over all of them, on its thread. Must not throw. */
    protected abstract void visiting();

    /**
     * Called after each visit that no heartbeat has caused, on its thread. Must not throw.
     *
     * @param allocated whether anybody has got anything, or would have if the node was not held back
     */
    protected abstract void visited(boolean allocated);

    /** Called if nobody took anything of what was offered in place of {@code node}. Must not throw. */
    protected abstract void unwanted(FiCaSchedulerNode node);

    @Override
    @SuppressWarnings("ReferenceEquality") // Whether it is the parent's own.
    CSAssignment allocateContainersToNode(CandidateNodeSet<FiCaSchedulerNode> parents, boolean withNodeHeartbeat) {
        visiting();
        if (withNodeHeartbeat) {
            return super.allocateContainersToNode(parents, true);
        }
        FiCaSchedulerNode node = CandidateNodeSetUtils.getSingleNode(parents);
        boolean open = node != null && !isMultiNodePlacementEnabled();
        Optional<CandidateNodeSet<FiCaSchedulerNode>> offer = open ? offer(node, parents) : Optional.of(parents);
        if (offer.isEmpty()) {
            // Somebody would have got it.
            visited(true);
            return null;
        }
        CSAssignment assignment = super.allocateContainersToNode(offer.get(), false);
        boolean allocated = assignment != null && !Resources.isNone(assignment.getResource());
        if (offer.get() != parents && !allocated) {
            unwanted(node);
        }
        visited(allocated);
        return assignment;
    }

    /**
     * Returns whether the parent would look for a container for {@code node} if it visited it now, and so much of it were gone: by the
     * guards of its own passes, of which those for one node alone do not see the others that we offer with it. Space that others would
     * have to be killed for is left to the parent.
     */
    @SuppressWarnings("ReferenceEquality") // A node that has registered anew is another one.
    protected final boolean isOpen(FiCaSchedulerNode node, Resource promised) {
        return node.getReservedContainer() == null
                && hasSpace(node, promised)
                && !isLeftOut(node)
                && getNode(node.getNodeID()) == node;
    }

    private boolean isLeftOut(FiCaSchedulerNode node) {
        if (GUARD_IS_PRIVATE) {
            // What it does there, and what it does since: a node that is being decommissioned has room, and is refused
            // when committed.
            return node.getRMNode().getState() != NodeState.RUNNING
                    || Time.monotonicNow() - node.getLastHeartbeatMonotonicTime() > 2 * nmHeartbeatInterval;
        }
        return shouldSkipNodeSchedule(node, this, false);
    }

    private boolean hasSpace(FiCaSchedulerNode node, Resource promised) {
        Resource free = node.getUnallocatedResource();
        // Resources are slow to make, and mostly nothing is promised.
        Resource left = promised.equals(Resources.none()) ? free : Resources.subtract(free, promised);
        return getResourceCalculator().computeAvailableContainers(left, getMinimumResourceCapability()) > 0;
    }
}
