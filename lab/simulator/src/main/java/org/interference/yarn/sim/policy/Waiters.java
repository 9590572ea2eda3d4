package org.interference.yarn.sim.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AppSchedulingInfo;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplication;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.interference.yarn.capacity.Size;

/** Who waits for a container, by what a scheduler knows of its applications. */
final class Waiters {
    private Waiters() {}

    /**
     * One application that waits.
     *
     * @param request of the next container
     */
    record Waiter(ApplicationAttemptId attempt, SchedulerRequestKey key, Size request) {}

    /** Returns them in the order of their ids. */
    static List<Waiter> of(AbstractYarnScheduler<?, ?> scheduler) {
        List<Waiter> waiters = new ArrayList<>();
        for (SchedulerApplication<?> application :
                scheduler.getSchedulerApplications().values()) {
            SchedulerApplicationAttempt attempt = application.getCurrentAppAttempt();
            if (attempt != null) {
                add(attempt, waiters);
            }
        }
        waiters.sort(Comparator.comparing(Waiter::attempt));
        return waiters;
    }

    private static void add(SchedulerApplicationAttempt attempt, List<Waiter> waiters) {
        AppSchedulingInfo asks = attempt.getAppSchedulingInfo();
        for (SchedulerRequestKey key : asks.getSchedulerKeys()) {
            PendingAsk pending = asks.getPendingAsk(key, ResourceRequest.ANY);
            if (pending.getCount() > 0) {
                waiters.add(new Waiter(
                        attempt.getApplicationAttemptId(), key, ElasticNodes.size(pending.getPerAllocationResource())));
                return;
            }
        }
    }
}
