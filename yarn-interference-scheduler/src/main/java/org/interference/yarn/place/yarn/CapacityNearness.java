package org.interference.yarn.place.yarn;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CSQueue;
import org.apache.hadoop.yarn.util.resource.ResourceCalculator;
import org.apache.hadoop.yarn.util.resource.Resources;

/**
 * Who may be served before one application that a CapacityScheduler would serve first, as its queues count (ADR-0027): a queue whose used
 * share is above that one's by no more than twice so many containers, an application of its own leaf queue that uses no more than that one and
 * so many containers, whatever the leaf's policy: who came later to a {@code fifo} queue gets no more before the first than that has; never one
 * of a lower priority. Reads what YARN keeps under short locks of its own, of each queue once. Only for the thread that has made it, and for one
 * decision.
 */
final class CapacityNearness {
    private final ResourceCalculator calculator;
    private final Resource cluster;
    private final int ahead;
    private final SchedulerApplicationAttempt first;
    private final Resource container;
    private final String partition;
    private final CSQueue leaf;
    private final List<CSQueue> path;
    /** Whether the applications of a leaf queue may come before the first, by the leaf. */
    private final IdentityHashMap<CSQueue, Boolean> leaves = new IdentityHashMap<>();

    /** What another application of the same leaf may use; null until somebody asks. */
    private Resource most;

    /** Which share of what each queue of {@link #path} is guaranteed it may be behind, in the same order; not a number until somebody asks. */
    private final float[] shares;

    /**
     * @param ahead containers that an application may be ahead, and half of those that a queue may
     * @param first whom the scheduler would serve
     * @param container what it would get
     * @param partition that it would get it in
     */
    CapacityNearness(
            ResourceCalculator calculator,
            Resource cluster,
            int ahead,
            SchedulerApplicationAttempt first,
            Resource container,
            String partition) {
        this.calculator = calculator;
        this.cluster = cluster;
        this.ahead = ahead;
        this.first = first;
        this.container = container;
        this.partition = partition;
        this.leaf = first.getQueue() instanceof CSQueue queue ? queue : null;
        this.path = fromRoot(leaf);
        this.shares = new float[path.size()];
        Arrays.fill(shares, Float.NaN);
    }

    /** Returns whether {@code other} may be served before the first. */
    boolean mayComeBefore(SchedulerApplicationAttempt other) {
        if (leaf == null || !(other.getQueue() instanceof CSQueue others)) {
            return false;
        }
        return leaf.equals(others) ? isNear(other) : leaves.computeIfAbsent(others, this::isNear);
    }

    private boolean isNear(SchedulerApplicationAttempt other) {
        if (other.getPriority().getPriority() < first.getPriority().getPriority()) {
            return false;
        }
        if (most == null) {
            most = Resources.multiplyAndAddTo(Resources.clone(usedBy(first)), container, ahead);
        }
        return Resources.lessThanOrEqual(calculator, cluster, usedBy(other), most);
    }

    /** Returns what an application uses in the partition, as queues are compared by what they use there. */
    private Resource usedBy(SchedulerApplicationAttempt application) {
        return application.getAppAttemptResourceUsage().getUsed(partition);
    }

    private boolean isNear(CSQueue otherLeaf) {
        List<CSQueue> ofOther = fromRoot(otherLeaf);
        int level = 0;
        while (level < path.size() && level < ofOther.size() && path.get(level).equals(ofOther.get(level))) {
            level++;
        }
        if (level == path.size() || level == ofOther.size()) {
            // One was moved or removed meanwhile.
            return false;
        }
        CSQueue firsts = path.get(level);
        CSQueue others = ofOther.get(level);
        if (others.getPriority().getPriority() < firsts.getPriority().getPriority()) {
            return false;
        }
        float further = others.getQueueCapacities().getUsedCapacity(partition)
                - firsts.getQueueCapacities().getUsedCapacity(partition);
        // Resources are slow to make, and mostly nobody is ahead.
        return further <= 0 || further <= share(level);
    }

    private float share(int level) {
        if (Float.isNaN(shares[level])) {
            shares[level] = shareOfContainers(path.get(level));
        }
        return shares[level];
    }

    /** Returns which share of what {@code queue} is guaranteed the containers are that it may be behind. */
    private float shareOfContainers(CSQueue queue) {
        Resource guaranteed = queue.getEffectiveCapacity(partition);
        return Resources.isNone(guaranteed)
                ? 0
                : Resources.divide(calculator, cluster, Resources.multiply(container, 2 * ahead), guaranteed);
    }

    private static List<CSQueue> fromRoot(CSQueue leaf) {
        List<CSQueue> path = new ArrayList<>();
        for (CSQueue queue = leaf; queue != null; queue = queue.getParent()) {
            path.add(0, queue);
        }
        return path;
    }
}
