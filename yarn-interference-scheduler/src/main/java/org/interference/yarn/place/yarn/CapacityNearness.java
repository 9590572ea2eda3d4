package org.interference.yarn.place.yarn;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.AbstractLeafQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.policy.FairOrderingPolicy;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Whether one application may be served before another one that a CapacityScheduler would serve first, as its queues count (ADR-0027): a
 * queue whose used share is above the other's by no more than twice so many containers, an application of one leaf queue in any order of arrival, or,
 * where the leaf's policy is fair, by no more than so many containers; never one of a lower priority. Immutable; reads what YARN keeps
 * under short locks of its own.
 */
final class CapacityNearness {
    private final ResourceCalculator calculator;
    private final Resource cluster;
    private final int ahead;

    /** @param ahead containers that an application may be ahead, and half of those that a queue may */
    CapacityNearness(ResourceCalculator calculator, Resource cluster, int ahead) {
        this.calculator = calculator;
        this.cluster = cluster;
        this.ahead = ahead;
    }

    /**
     * Returns whether {@code other} may be served before {@code first}.
     *
     * @param container what {@code first} would get
     * @param partition that it would get it in
     */
    boolean mayComeBefore(
            SchedulerApplicationAttempt other,
            SchedulerApplicationAttempt first,
            Resource container,
            String partition) {
        if (!(first.getQueue() instanceof CSQueue firsts && other.getQueue() instanceof CSQueue others)) {
            return false;
        }
        return firsts.equals(others)
                ? isNear(other, first, container, firsts)
                : areNear(firsts, others, container, partition);
    }

    private boolean isNear(
            SchedulerApplicationAttempt other, SchedulerApplicationAttempt first, Resource container, CSQueue queue) {
        if (other.getPriority().getPriority() < first.getPriority().getPriority()) {
            return false;
        }
        boolean byUsage =
                queue instanceof AbstractLeafQueue leaf && leaf.getOrderingPolicy() instanceof FairOrderingPolicy<?>;
        return !byUsage
                || Resources.lessThanOrEqual(
                        calculator,
                        cluster,
                        other.getCurrentConsumption(),
                        Resources.multiplyAndAddTo(Resources.clone(first.getCurrentConsumption()), container, ahead));
    }

    private boolean areNear(CSQueue first, CSQueue other, Resource container, String partition) {
        List<CSQueue> ofFirst = fromRoot(first);
        List<CSQueue> ofOther = fromRoot(other);
        int level = 0;
        while (level < ofFirst.size()
                && level < ofOther.size()
                && ofFirst.get(level).equals(ofOther.get(level))) {
            level++;
        }
        if (level == ofFirst.size() || level == ofOther.size()) {
            // One was moved or removed meanwhile.
            return false;
        }
        CSQueue firsts = ofFirst.get(level);
        CSQueue others = ofOther.get(level);
        Resource guaranteed = firsts.getEffectiveCapacity(partition);
        float share = Resources.isNone(guaranteed)
                ? 0
                : Resources.divide(calculator, cluster, Resources.multiply(container, 2 * ahead), guaranteed);
        return others.getPriority().getPriority() >= firsts.getPriority().getPriority()
                && others.getQueueCapacities().getUsedCapacity(partition)
                        <= firsts.getQueueCapacities().getUsedCapacity(partition) + share;
    }

    private static List<CSQueue> fromRoot(CSQueue leaf) {
        List<CSQueue> path = new ArrayList<>();
        for (CSQueue queue = leaf; queue != null; queue = queue.getParent()) {
            path.add(0, queue);
        }
        return path;
    }
}
