package org.interference.yarn.sim.engine;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.BiConsumer;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.NeedyApplications;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.OpenFairScheduler;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.sim.engine.AnyNeedyScheduler.Kind;

/** Serves any of those that are almost equally needy, as if it suited the node best: the worst that a choice among them can do. */
final class AnyNeedyScheduler extends OpenFairScheduler {
    private final Random random;
    private final int ahead;
    private final BiConsumer<FSSchedulerNode, List<NeedyApplications.Candidate<Kind>>> look;
    private final NeedyApplications<Kind> needy = new NeedyApplications<>(
            this,
            (application, key) -> Optional.of(
                    new Kind(application.getName(), key.getPriority().getPriority())));

    private boolean byParent;

    /** All are unlike each other. */
    record Kind(String application, int priority) {}

    /** @param look sees who may be served before anybody is */
    AnyNeedyScheduler(
            Random random, int ahead, BiConsumer<FSSchedulerNode, List<NeedyApplications.Candidate<Kind>>> look) {
        this.random = random;
        this.ahead = ahead;
        this.look = look;
    }

    @Override
    protected Decided decide(FSSchedulerNode node) {
        if (byParent) {
            // As an allocator tells the plugin.
            getSchedulerApplications()
                    .keySet()
                    .forEach(application -> needy.moved(ApplicationAttemptId.newInstance(application, 1)));
            byParent = false;
        }
        List<NeedyApplications.Candidate<Kind>> candidates = needy.almostEquallyNeedy(node, ahead, 1000);
        look.accept(node, candidates);
        if (candidates.isEmpty()) {
            byParent = true;
            return Decided.BY_PARENT;
        }
        FSAppAttempt taken = candidates.get(random.nextInt(candidates.size())).application();
        if (taken.assignContainer(node).equals(Resources.none())) {
            throw new AssertionError(taken.getName() + " was to be served on " + node);
        }
        needy.moved(taken.getApplicationAttemptId());
        return Decided.ALLOCATED;
    }

    @Override
    protected void completedContainerInternal(
            RMContainer container, ContainerStatus status, RMContainerEventType event) {
        super.completedContainerInternal(container, status, event);
        needy.moved(container.getApplicationAttemptId());
    }
}
