package org.interference.yarn.sim.policy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.OpenFairScheduler;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.place.UsualGains;
import org.interference.yarn.sim.engine.Freedom;
import org.interference.yarn.sim.engine.Insight;

/**
 * A reference mechanism, not the project's: the FairScheduler, which chooses among almost equally needy applications the one whose
 * task adds more to the node that has just reported than it usually adds, by most, and may leave that node as it is for a while.
 *
 * <p>Almost equally needy: a queue within two containers of the neediest queue, an application within one container of the neediest of
 * its queue. If it is not known what the neediest one adds, it gets the node. What is equal goes to the neediest.
 */
final class MatchingFairScheduler extends OpenFairScheduler {
    private static final long CONTAINER_MB = 1024;
    private static final long QUEUE_SLACK_MB = 2 * CONTAINER_MB;
    private static final long APPLICATION_SLACK_MB = CONTAINER_MB;
    private static final int MOST_DELAYS = 10;
    private static final double RESOLUTION = 1e-6;

    private final Gains gains;
    private final boolean mayDelay;
    private final Map<NodeId, Integer> delays = new HashMap<>();

    private final UsualGains<String> usual = new UsualGains<>();
    private final Insight insight;

    private record Choice(FSAppAttempt application, String kind, double gain) {}

    MatchingFairScheduler(Insight insight, Gains gains, Freedom freedom) {
        this.insight = insight;
        this.gains = gains;
        this.mayDelay = freedom == Freedom.DELAY;
    }

    @Override
    public void serviceInit(Configuration conf) throws Exception {
        gains.attach(rmContext);
        super.serviceInit(conf);
    }

    @Override
    protected Decided decide(FSSchedulerNode node) {
        if (!Resources.fitsIn(getMinimumResourceCapability(), node.getUnallocatedResource())) {
            return Decided.LEFT;
        }
        List<FSAppAttempt> eligible = eligible(node);
        List<Choice> known = new ArrayList<>();
        for (FSAppAttempt application : eligible) {
            OptionalDouble gain = gains.gain(node.getNodeID(), application.getApplicationAttemptId());
            if (gain.isPresent()) {
                known.add(new Choice(application, kind(application), gain.getAsDouble()));
            } else if (known.isEmpty()) {
                return Decided.BY_PARENT;
            }
        }
        if (known.isEmpty()) {
            return Decided.BY_PARENT;
        }
        Map<String, Double> offered = new HashMap<>();
        known.forEach(choice -> offered.put(choice.kind(), choice.gain()));
        usual.offered(offered, insight.clock().instant());
        Choice best = known.get(0);
        for (Choice choice : known) {
            best = excess(choice) > excess(best) + RESOLUTION ? choice : best;
        }
        boolean harms = known.stream().allMatch(choice -> choice.gain() < 0);
        if (mayDelay && harms && delays.merge(node.getNodeID(), 1, Integer::sum) <= MOST_DELAYS) {
            return Decided.LEFT;
        }
        delays.remove(node.getNodeID());
        return assign(best.application(), node) ? Decided.ALLOCATED : Decided.BY_PARENT;
    }

    private double excess(Choice choice) {
        return usual.excess(choice.kind(), choice.gain());
    }

    private String kind(FSAppAttempt application) {
        return insight.next()
                .apply(application.getApplicationAttemptId())
                .map(task -> task.keys().get(0).text())
                .orElse("");
    }

    private boolean assign(FSAppAttempt application, FSSchedulerNode node) {
        if (application.assignContainer(node).equals(Resources.none())) {
            return false;
        }
        ContainerId newest = application.getLiveContainers().stream()
                .map(RMContainer::getContainerId)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        gains.assigned(node.getNodeID(), application.getApplicationAttemptId(), newest);
        return true;
    }

    private List<FSAppAttempt> eligible(FSSchedulerNode node) {
        List<FSAppAttempt> eligible = new ArrayList<>();
        long leastOfQueues = -1;
        for (FSLeafQueue queue : queuesFor(node)) {
            List<FSAppAttempt> applications = needyApplications(queue);
            if (applications.isEmpty()) {
                continue;
            }
            long used = queue.getResourceUsage().getMemorySize();
            leastOfQueues = leastOfQueues < 0 ? used : leastOfQueues;
            if (used - leastOfQueues > QUEUE_SLACK_MB) {
                continue;
            }
            long least = applications.get(0).getResourceUsage().getMemorySize();
            for (FSAppAttempt application : applications) {
                if (application.getResourceUsage().getMemorySize() - least <= APPLICATION_SLACK_MB) {
                    eligible.add(application);
                }
            }
        }
        return eligible;
    }

    @Override
    protected void completedContainerInternal(
            RMContainer container, ContainerStatus status, RMContainerEventType event) {
        super.completedContainerInternal(container, status, event);
        gains.completed(container.getAllocatedNode(), container.getContainerId());
    }
}
