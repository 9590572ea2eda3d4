package org.interference.yarn.sim.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;

/** Who of a FairScheduler's applications is needy, and whether one was served that is too far ahead of another (ADR-0027). */
final class FairnessCheck {
    /** Comparators work in floating point. */
    private static final double ROUNDING = 1e-6;

    private FairnessCheck() {}

    /**
     * An application that waits for a container that fits on the node. Memory in MB.
     *
     * @param weight of its queue; applications of a queue weigh alike
     * @param fits whether it would be given it now; else the node is too full, and it might reserve it
     */
    record Needy(String attempt, String queue, long used, long queueUsed, double weight, long ask, boolean fits) {}

    /** Returns who of {@code attempts} waits for {@code node} now. */
    static List<Needy> before(FairScheduler scheduler, Iterable<ApplicationAttemptId> attempts, SchedulerNode node) {
        List<Needy> needy = new ArrayList<>();
        if (node == null || node.getReservedContainer() != null) {
            return needy;
        }
        for (ApplicationAttemptId id : attempts) {
            FSAppAttempt application = scheduler.getSchedulerApp(id);
            if (application == null) {
                continue;
            }
            for (SchedulerRequestKey key : application.getSchedulerKeys()) {
                if (application.getOutstandingAsksCount(key) > 0) {
                    var ask =
                            application.getPendingAsk(key, ResourceRequest.ANY).getPerAllocationResource();
                    if (Resources.fitsIn(ask, node.getTotalResource())) {
                        needy.add(new Needy(
                                id.getApplicationId().toString(),
                                application.getQueueName(),
                                application.getResourceUsage().getMemorySize(),
                                application.getQueue().getResourceUsage().getMemorySize(),
                                application.getQueue().getWeight(),
                                ask.getMemorySize(),
                                Resources.fitsIn(ask, node.getUnallocatedResource())));
                    }
                    break;
                }
            }
        }
        return needy;
    }

    /**
     * Returns whom {@code served} was too far ahead of, one sentence each.
     *
     * @param ahead containers that an application may be ahead; a queue twice as many
     */
    static List<String> passedOver(List<Needy> needy, String served, int ahead) {
        List<String> passedOver = new ArrayList<>();
        // The containers that a queue is behind are of the size that its neediest application waits for, which may be
        // any of them.
        Map<String, Long> largest = new TreeMap<>();
        needy.forEach(one -> largest.merge(one.queue(), one.ask(), Math::max));
        needy.stream().filter(one -> one.attempt().equals(served)).forEach(one -> {
            for (Needy other : needy.stream().filter(Needy::fits).toList()) {
                boolean beside = other.queue().equals(one.queue());
                double mine = beside ? one.used() : one.queueUsed() / one.weight();
                double theirs = beside
                        ? other.used() + (double) ahead * other.ask()
                        : (other.queueUsed() + 2.0 * ahead * largest.get(other.queue())) / other.weight();
                if (mine > theirs * (1 + ROUNDING)) {
                    passedOver.add("%s was served before %s, which may be %s behind".formatted(one, other, ahead));
                }
            }
        });
        return passedOver;
    }
}
