package org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * The FairScheduler with its one decision open: who gets the node that has just reported. In YARN's package, because YARN keeps
 * that method there; everything else is the parent's.
 */
public abstract class OpenFairScheduler extends FairScheduler {
    /** Returns whether the decision for {@code node} has been made; otherwise the parent makes it. */
    protected abstract boolean decide(FSSchedulerNode node);

    @Override
    final void attemptScheduling(FSSchedulerNode node) {
        if (node.getReservedAppSchedulable() != null || !decide(node)) {
            super.attemptScheduling(node);
        }
    }

    /** Returns the leaf queues with demand, the neediest first, as their parent would try them. */
    protected List<FSLeafQueue> needyQueues() {
        List<FSLeafQueue> queues = new ArrayList<>();
        for (FSLeafQueue queue : getQueueManager().getLeafQueues()) {
            if (!needyApplications(queue).isEmpty()) {
                queues.add(queue);
            }
        }
        queues.sort(getQueueManager().getRootQueue().getPolicy().getComparator());
        return queues;
    }

    /** Returns the applications with demand, the neediest first, as their queue would try them. */
    protected List<FSAppAttempt> needyApplications(FSLeafQueue queue) {
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

    /** Returns whether the queue may get a container on {@code node}. */
    protected static boolean mayAssign(FSLeafQueue queue, FSSchedulerNode node) {
        return queue.assignContainerPreCheck(node);
    }
}
