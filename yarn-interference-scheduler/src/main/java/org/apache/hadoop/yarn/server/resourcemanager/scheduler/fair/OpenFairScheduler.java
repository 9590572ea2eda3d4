package org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * The FairScheduler with its one decision open: who gets the node that has just reported. In YARN's package, because YARN keeps
 * that method there; everything else is the parent's. Reservations, and containers that others were preempted for, come
 * first, by the parent.
 */
public abstract class OpenFairScheduler extends FairScheduler {
    private final List<Runnable> afterUpdates = new CopyOnWriteArrayList<>();

    /** The node that a thread with the write lock offers, if it is larger than configured; null mostly. */
    private volatile Offered restricted;

    private record Offered(FSSchedulerNode node, Thread by) {}

    /** Who decides about a node, once. */
    protected enum Decided {
        /** A container was allocated. */
        ALLOCATED,
        /** The node stays as it is until its next heartbeat. */
        LEFT,
        /** The parent is to decide about one container; about the next one there is another decision. */
        NEXT_BY_PARENT,
        /** The parent is to decide, now and for the rest of this heartbeat. */
        BY_PARENT
    }

    /** Decides about {@code node} as it is now. Must not throw. */
    protected abstract Decided decide(FSSchedulerNode node);

    /** Called before the parent decides about a node of which nothing is open. Must not throw. */
    protected void leave() {}

    /** Has {@code updated} called, under the write lock, whenever demands and shares have been worked out anew. It must not throw. */
    final void afterUpdates(Runnable updated) {
        afterUpdates.add(updated);
    }

    @Override
    public void update() {
        super.update();
        writeLock.lock();
        try {
            afterUpdates.forEach(Runnable::run);
        } finally {
            writeLock.unlock();
        }
    }

    /** Returns whether {@link #decide} is to be called; without, this is the parent. */
    protected boolean isOn() {
        return true;
    }

    /** Returns whether containers may be killed for who is below its share. */
    protected final boolean mayPreempt() {
        return getContext().isPreemptionEnabled();
    }

    @Override
    void attemptScheduling(FSSchedulerNode node) {
        writeLock.lock();
        try {
            restricted = node != null && isRestricted(node) ? new Offered(node, Thread.currentThread()) : null;
            if (restricted != null && node.getPreemptionList().isEmpty() && isToBeLeftReserved(node)) {
                return;
            }
            if (!isOn()) {
                super.attemptScheduling(node);
            } else if (!isOpen(node)) {
                leave();
                super.attemptScheduling(node);
            } else if (!decideAsOftenAsTheParent(node)) {
                super.attemptScheduling(node);
            }
        } finally {
            restricted = null;
            writeLock.unlock();
        }
    }

    /** Returns whether somebody may not have {@code node}, as an ApplicationMaster what is larger than configured. Must not throw. */
    protected boolean isRestricted(FSSchedulerNode node) {
        return false;
    }

    /** Returns whether {@code node} is reserved for somebody who may not have what is free of it yet: the parent would take the reservation back. Must not throw. */
    protected boolean isToBeLeftReserved(FSSchedulerNode node) {
        return false;
    }

    /** Returns the node that this thread offers, if somebody may not have it. */
    protected final Optional<SchedulerNode> restrictedOnThisThread() {
        Offered offered = restricted;
        return offered != null && offered.by().equals(Thread.currentThread())
                ? Optional.of(offered.node())
                : Optional.empty();
    }

    /** Runs {@code action} as if this thread offered nothing: what applications ask for, whatever the node. Under the write lock. */
    final void asIfNothingWasOffered(Runnable action) {
        Offered offered = restricted;
        restricted = null;
        try {
            action.run();
        } finally {
            restricted = offered;
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

    /**
     * Returns whether all was decided, or else nothing was done: then the parent decides. With {@code assignmultiple} a heartbeat gets as
     * many containers as the parent's limits say, whoever decides about them.
     */
    private boolean decideAsOftenAsTheParent(FSSchedulerNode node) {
        // Resources are slow to make, and mostly there is one container for a heartbeat.
        Resource atFirst = assignMultiple ? Resources.clone(node.getUnallocatedResource()) : Resources.none();
        Decided decided = decided(node);
        if (decided == Decided.BY_PARENT) {
            return false;
        }
        for (int assigned = 1; decided == Decided.ALLOCATED && mayAssignMore(node, atFirst, assigned); assigned++) {
            decided = decided(node);
            if (decided == Decided.BY_PARENT) {
                assignTheRestAsTheParent(node, atFirst, assigned);
            }
        }
        updateRootQueueMetrics();
        return true;
    }

    private Decided decided(FSSchedulerNode node) {
        Decided decided = decide(node);
        if (decided != Decided.NEXT_BY_PARENT) {
            return decided;
        }
        return getQueueManager().getRootQueue().assignContainer(node).equals(Resources.none())
                ? Decided.LEFT
                : Decided.ALLOCATED;
    }

    /** The parent's loop, from its middle on. */
    private void assignTheRestAsTheParent(FSSchedulerNode node, Resource atFirst, int alreadyAssigned) {
        int assigned = alreadyAssigned;
        while (!getQueueManager().getRootQueue().assignContainer(node).equals(Resources.none())) {
            assigned++;
            if (!mayAssignMore(node, atFirst, assigned)) {
                return;
            }
        }
    }

    private boolean mayAssignMore(FSSchedulerNode node, Resource atFirst, int assigned) {
        if (!assignMultiple || node.getReservedContainer() != null) {
            return false;
        }
        if (!maxAssignDynamic) {
            return maxAssign <= 0 || assigned < maxAssign;
        }
        Resource taken = Resources.subtract(atFirst, node.getUnallocatedResource());
        return Resources.fitsIn(taken, Resources.multiply(atFirst, 0.5f));
    }

    /** As the parent does when it has assigned: its own is private. */
    private void updateRootQueueMetrics() {
        getRootQueueMetrics()
                .setAvailableResourcesToQueue(Resources.subtract(
                        getClusterResource(), getRootQueueMetrics().getAllocatedResources()));
    }

    /** Returns the leaf queues that have applications and may get a container on {@code node}, in the order in which the parent would try them. */
    protected List<FSLeafQueue> queuesFor(FSSchedulerNode node) {
        List<FSLeafQueue> leaves = new ArrayList<>();
        addQueuesFor(node, getQueueManager().getRootQueue(), leaves);
        return leaves;
    }

    private static void addQueuesFor(FSSchedulerNode node, FSQueue queue, List<FSLeafQueue> leaves) {
        if (!mayGetAContainer(queue, node)) {
            return;
        }
        if (queue instanceof FSLeafQueue leaf) {
            leaves.add(leaf);
            return;
        }
        for (FSQueue child : inOrder(queue)) {
            addQueuesFor(node, child, leaves);
        }
    }

    static boolean mayGetAContainer(FSQueue queue, FSSchedulerNode node) {
        return queue.getNumRunnableApps() > 0 && queue.assignContainerPreCheck(node);
    }

    /** Returns the queues in {@code parent}, the neediest first. Their usage may change meanwhile, which a list's sort does not bear. */
    static Collection<FSQueue> inOrder(FSQueue parent) {
        TreeSet<FSQueue> children = new TreeSet<>(parent.getPolicy().getComparator());
        children.addAll(parent.getChildQueues());
        return children;
    }

    /** Returns the applications of {@code queue} that may run and have demand, in the order in which the parent would try them. */
    protected Collection<FSAppAttempt> needyApplications(FSLeafQueue queue) {
        List<ApplicationAttemptId> attempts = new ArrayList<>();
        queue.collectSchedulerApplications(attempts);
        Set<FSAppAttempt> held = new HashSet<>(queue.getCopyOfNonRunnableAppSchedulables());
        TreeSet<FSAppAttempt> applications = new TreeSet<>(queue.getPolicy().getComparator());
        for (ApplicationAttemptId attempt : attempts) {
            FSAppAttempt application = getSchedulerApp(attempt);
            if (application != null && isNeedy(application) && !held.contains(application)) {
                applications.add(application);
            }
        }
        return applications;
    }

    static boolean isNeedy(FSAppAttempt application) {
        return !Resources.isNone(application.getPendingDemand());
    }

    /** Returns whether {@code application} still runs in {@code queue}. */
    static boolean isRunningIn(FSAppAttempt application, FSLeafQueue queue) {
        return !application.isStopped() && application.getQueue().equals(queue);
    }
}
