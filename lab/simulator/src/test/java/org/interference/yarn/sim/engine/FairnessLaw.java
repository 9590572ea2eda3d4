package org.interference.yarn.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.Schedulable;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies.DominantResourceFairnessPolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies.FairSharePolicy;

/** Fairness as ADR-0027 bounds it, worked out from shares, without YARN's comparators. */
final class FairnessLaw {
    private static final double EXACTLY = 1e-4;

    private final FairScheduler scheduler;
    private final int ahead;

    FairnessLaw(FairScheduler scheduler, int ahead) {
        this.scheduler = scheduler;
        this.ahead = ahead;
    }

    /** Holds if {@code application}, and each queue above it, is at most some containers ahead of whoever waits beside it. */
    void mayServe(FSAppAttempt application) {
        FSLeafQueue leaf = application.getQueue();
        for (FSAppAttempt other : applications(leaf)) {
            assertNear(leaf, application, other, largest(List.of(other)), ahead);
        }
        for (FSQueue queue = leaf; queue.getParent() != null; queue = queue.getParent()) {
            for (FSQueue other : queue.getParent().getChildQueues()) {
                List<FSAppAttempt> waiting = applications(other);
                if (!waiting.isEmpty()) {
                    assertNear(queue.getParent(), queue, other, largest(waiting), 2 * ahead);
                }
            }
        }
    }

    private void assertNear(FSQueue in, Schedulable one, Schedulable other, Resource container, int containers) {
        boolean near = one.equals(other) || isNear(in, one, other, container, containers);
        assertThat(near)
                .as(
                        "in %s (%s): %s with %s, weight %s; beside it %s with %s, weight %s, that waits for %s",
                        in.getName(),
                        in.getPolicy().getName(),
                        one.getName(),
                        one.getResourceUsage(),
                        one.getWeight(),
                        other.getName(),
                        other.getResourceUsage(),
                        other.getWeight(),
                        container)
                .isTrue();
    }

    private boolean isNear(FSQueue in, Schedulable one, Schedulable other, Resource container, int containers) {
        long memory = other.getResourceUsage().getMemorySize() + containers * container.getMemorySize();
        if (in.getPolicy() instanceof FairSharePolicy) {
            long had = one.getResourceUsage().getMemorySize();
            double oneNeeds = ofMinShare(one, had);
            double otherNeeds = ofMinShare(other, memory);
            if (oneNeeds < 1 || otherNeeds < 1) {
                return oneNeeds <= otherNeeds + EXACTLY;
            }
            return had / one.getWeight() <= memory / other.getWeight() * (1 + EXACTLY);
        }
        if (in.getPolicy() instanceof DominantResourceFairnessPolicy) {
            Resource all = scheduler.getClusterResource();
            Resource usage = one.getResourceUsage();
            long cores = other.getResourceUsage().getVirtualCores() + (long) containers * container.getVirtualCores();
            double had = Math.max(
                    (double) usage.getMemorySize() / all.getMemorySize(),
                    (double) usage.getVirtualCores() / all.getVirtualCores());
            double has = Math.max((double) memory / all.getMemorySize(), (double) cores / all.getVirtualCores());
            return had / one.getWeight() <= has / other.getWeight() * (1 + EXACTLY);
        }
        // First come, first served.
        return one.getStartTime() < other.getStartTime();
    }

    /** Returns the part of its min share that it has; 1 if it has all, or needs no more. */
    private static double ofMinShare(Schedulable schedulable, long megabytes) {
        long share = Math.min(
                schedulable.getMinShare().getMemorySize(),
                schedulable.getDemand().getMemorySize());
        return megabytes >= share ? 1 : (double) megabytes / share;
    }

    /** Returns who waits in {@code queue}. */
    private List<FSAppAttempt> applications(FSQueue queue) {
        List<ApplicationAttemptId> attempts = new ArrayList<>();
        queue.collectSchedulerApplications(attempts);
        return attempts.stream()
                .map(scheduler::getSchedulerApp)
                .filter(application -> application.getSchedulerKeys().stream()
                        .anyMatch(key -> application.getOutstandingAsksCount(key, ResourceRequest.ANY) > 0))
                .toList();
    }

    private static Resource largest(List<FSAppAttempt> waiting) {
        long memory = 0;
        int cores = 0;
        for (FSAppAttempt application : waiting) {
            Resource ask =
                    application.getAppSchedulingInfo().getNextPendingAsk().getPerAllocationResource();
            memory = Math.max(memory, ask.getMemorySize());
            cores = Math.max(cores, ask.getVirtualCores());
        }
        return Resource.newInstance(memory, cores);
    }
}
