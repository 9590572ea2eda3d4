package org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerAppUtils;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The FairScheduler with its one decision open: who gets the node that has just reported. In YARN's package, because YARN keeps
 * that method there; everything else is the parent's. Reservations, and containers that others were preempted for, come
 * first, by the parent.
 */
public abstract class OpenFairScheduler extends FairScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(OpenFairScheduler.class);

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

    /** Called before the parent decides about a node of which nothing is open. Must not throw. */
    protected void leave() {}

    /** Returns whether {@link #decide} is to be called; without, this is the parent. */
    protected boolean isOn() {
        return true;
    }

    @Override
    void attemptScheduling(FSSchedulerNode node) {
        writeLock.lock();
        try {
            if (!isOn()) {
                super.attemptScheduling(node);
            } else if (!isOpen(node)) {
                leave();
                super.attemptScheduling(node);
            } else if (!decideAsOftenAsTheParent(node)) {
                super.attemptScheduling(node);
            }
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
        // Resources are slow to make, and mostly there is one container for a heartbeat.
        Resource atFirst = assignMultiple ? Resources.clone(node.getUnallocatedResource()) : Resources.none();
        for (int assigned = 1; ; assigned++) {
            switch (decide(node)) {
                case BY_PARENT -> {
                    return false;
                }
                case LEFT -> {
                    return true;
                }
                case ALLOCATED -> {
                    boolean more = assignMultiple && mayAssignMore(node, atFirst, assigned);
                    if (!more || node.getReservedContainer() != null) {
                        return true;
                    }
                }
                default -> throw new AssertionError();
            }
        }
    }

    private boolean mayAssignMore(FSSchedulerNode node, Resource atFirst, int assigned) {
        if (!maxAssignDynamic) {
            return maxAssign <= 0 || assigned < maxAssign;
        }
        Resource taken = Resources.subtract(atFirst, node.getUnallocatedResource());
        return Resources.greaterThan(
                getResourceCalculator(), getClusterResource(), Resources.multiply(atFirst, 0.5), taken);
    }

    /** Returns the leaf queues that have applications and may get a container on {@code node}, in the order in which the parent would try them. */
    protected List<FSLeafQueue> queuesFor(FSSchedulerNode node) {
        List<FSLeafQueue> leaves = new ArrayList<>();
        addQueuesFor(node, getQueueManager().getRootQueue(), leaves);
        return leaves;
    }

    private static void addQueuesFor(FSSchedulerNode node, FSQueue queue, List<FSLeafQueue> leaves) {
        if (queue.getNumRunnableApps() == 0 || !queue.assignContainerPreCheck(node)) {
            return;
        }
        if (queue instanceof FSLeafQueue leaf) {
            leaves.add(leaf);
            return;
        }
        List<FSQueue> children = new ArrayList<>(queue.getChildQueues());
        children.sort(queue.getPolicy().getComparator());
        for (FSQueue child : children) {
            addQueuesFor(node, child, leaves);
        }
    }

    /** Returns the applications of {@code queue} that may run and have demand, in the order in which the parent would try them. */
    protected List<FSAppAttempt> needyApplications(FSLeafQueue queue) {
        List<ApplicationAttemptId> attempts = new ArrayList<>();
        queue.collectSchedulerApplications(attempts);
        List<FSAppAttempt> held = queue.getCopyOfNonRunnableAppSchedulables();
        List<FSAppAttempt> applications = new ArrayList<>();
        for (ApplicationAttemptId attempt : attempts) {
            FSAppAttempt application = getSchedulerApp(attempt);
            if (!Resources.isNone(application.getPendingDemand()) && !held.contains(application)) {
                applications.add(application);
            }
        }
        applications.sort(queue.getPolicy().getComparator());
        return applications;
    }

    /** Returns whether {@code application} still runs in {@code queue}, and accepts {@code node}. */
    protected boolean mayServe(FSAppAttempt application, FSLeafQueue queue, FSSchedulerNode node) {
        return application.equals(getApplicationAttempt(application.getApplicationAttemptId()))
                && application.getQueue().equals(queue)
                && !SchedulerAppUtils.isPlaceBlacklisted(application, node, LOG);
    }
}
