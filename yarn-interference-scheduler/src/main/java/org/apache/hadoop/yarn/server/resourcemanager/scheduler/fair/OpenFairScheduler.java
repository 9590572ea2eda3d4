package org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * The FairScheduler with its one decision open: who gets the node that has just reported. In YARN's package, because YARN keeps
 * that method there; everything else is the parent's. Reservations, and containers that others were preempted for, come
 * first, by the parent.
 */
public abstract class OpenFairScheduler extends FairScheduler {
    /** Who decides about a node, once. */
    protected enum Decided {
        /** A container was allocated. */
        ALLOCATED,
        /** The node stays as it is until its next heartbeat. */
        LEFT,
        /** The parent is to decide, now and for the rest of this heartbeat. */
        BY_PARENT
    }

    /** Decides about {@code node} as it is now. Must not throw. */
    protected abstract Decided decide(FSSchedulerNode node);

    /** Called after every decision with what is new on {@code node}. Must not throw. */
    protected void allocated(FSSchedulerNode node, List<RMContainer> containers) {}

    @Override
    void attemptScheduling(FSSchedulerNode node) {
        writeLock.lock();
        try {
            if (!isOpen(node)) {
                super.attemptScheduling(node);
                return;
            }
            Set<ContainerId> before = new HashSet<>();
            node.getCopiedListOfRunningContainers().forEach(container -> before.add(container.getContainerId()));
            if (!decideAsOftenAsTheParent(node)) {
                super.attemptScheduling(node);
            }
            List<RMContainer> after = new ArrayList<>(node.getCopiedListOfRunningContainers());
            after.removeIf(container -> before.contains(container.getContainerId()));
            allocated(node, after);
        } finally {
            writeLock.unlock();
        }
    }

    /** Returns whether a decision is open: the parent would try the queues in their order. */
    private boolean isOpen(FSSchedulerNode node) {
        return node != null
                && getNodeTracker().exists(node.getNodeID())
                && (!rmContext.isWorkPreservingRecoveryEnabled() || rmContext.isSchedulerReadyForAllocatingContainers())
                && node.getReservedAppSchedulable() == null
                && node.getPreemptionList().isEmpty();
    }

    /** Returns whether all was decided; with {@code assignmultiple} a heartbeat gets as many containers as the parent's limits say. */
    private boolean decideAsOftenAsTheParent(FSSchedulerNode node) {
        Resource half = Resources.multiply(node.getUnallocatedResource(), 0.5);
        Resource atFirst = Resources.clone(node.getUnallocatedResource());
        for (int assigned = 1; ; assigned++) {
            switch (decide(node)) {
                case BY_PARENT -> {
                    return false;
                }
                case LEFT -> {
                    return true;
                }
                case ALLOCATED -> {
                    Resource taken = Resources.subtract(atFirst, node.getUnallocatedResource());
                    boolean more = assignMultiple
                            && (maxAssignDynamic
                                    ? Resources.greaterThan(getResourceCalculator(), getClusterResource(), half, taken)
                                    : maxAssign <= 0 || assigned < maxAssign);
                    if (!more) {
                        return true;
                    }
                }
                default -> throw new AssertionError();
            }
        }
    }

    /**
     * A leaf queue with demand.
     *
     * @param applications those with demand, at least one, the neediest first, as their queue would try them
     */
    protected record Needy(FSLeafQueue queue, List<FSAppAttempt> applications) {}

    /** Returns the leaf queues with demand, in the order in which the parent would try them. */
    protected List<Needy> needyQueues() {
        List<Needy> queues = new ArrayList<>();
        addNeedy(getQueueManager().getRootQueue(), queues);
        return queues;
    }

    private void addNeedy(FSQueue queue, List<Needy> queues) {
        if (queue instanceof FSLeafQueue leaf) {
            List<FSAppAttempt> applications = needyApplications(leaf);
            if (!applications.isEmpty()) {
                queues.add(new Needy(leaf, applications));
            }
            return;
        }
        List<FSQueue> children = new ArrayList<>(queue.getChildQueues());
        children.sort(queue.getPolicy().getComparator());
        children.forEach(child -> addNeedy(child, queues));
    }

    private List<FSAppAttempt> needyApplications(FSLeafQueue queue) {
        List<ApplicationAttemptId> attempts = new ArrayList<>();
        queue.collectSchedulerApplications(attempts);
        List<FSAppAttempt> applications = new ArrayList<>();
        for (ApplicationAttemptId attempt : attempts) {
            FSAppAttempt application = getSchedulerApp(attempt);
            if (!application.getPendingDemand().equals(Resources.none())) {
                applications.add(application);
            }
        }
        applications.sort(queue.getPolicy().getComparator());
        return applications;
    }

    /** Returns whether the queue may get a container on {@code node}, by its limits and those of the queues above it. */
    protected static boolean mayAssign(FSLeafQueue queue, FSSchedulerNode node) {
        for (FSQueue level = queue; level != null; level = level.getParent()) {
            if (!level.assignContainerPreCheck(node)) {
                return false;
            }
        }
        return true;
    }
}
