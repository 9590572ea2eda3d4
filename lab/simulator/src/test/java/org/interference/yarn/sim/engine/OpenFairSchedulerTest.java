package org.interference.yarn.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.OpenFairScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.Schedulable;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies.FairSharePolicy;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a heartbeat may do is the parent's to say, whoever decides about it. */
@Timeout(300)
final class OpenFairSchedulerTest {
    private static final Resource SLOT = Resource.newInstance(1024, 1);
    private static final int SLOTS = 20;
    private static final String QUEUES = "<queue name='any'/>";

    @TempDir
    private Path directory;

    private final VirtualClock clock = new VirtualClock();

    /** Serves the one application, or does not, as it is told. */
    private static final class Scripted extends OpenFairScheduler {
        private final Deque<Decided> script = new ArrayDeque<>();
        private FSAppAttempt application;

        @Override
        protected Decided decide(FSSchedulerNode node) {
            Decided next = script.isEmpty() ? Decided.BY_PARENT : script.remove();
            if (next == Decided.ALLOCATED) {
                assertThat(Resources.isNone(application.assignContainer(node))).isFalse();
            }
            return next;
        }

        private boolean preempts() {
            return mayPreempt();
        }

        private void allocateTwice() {
            script.addAll(List.of(Decided.ALLOCATED, Decided.ALLOCATED));
        }
    }

    /** Then no node is left as it is: YARN kills for whoever is below its share, even where there is space. */
    @Test
    void whetherContainersMayBeKilledIsTheParentsToSay() throws Exception {
        for (boolean preemption : List.of(true, false)) {
            Configuration settings = Ours.settings();
            settings.setBoolean("yarn.scheduler.fair.preemption", preemption);
            Scripted ours = new Scripted();
            try (FairCluster cluster = new FairCluster(ours, clock, directory, QUEUES, settings)) {
                cluster.register(1024, 1);
                assertThat(ours.preempts()).isEqualTo(preemption);
            }
        }
    }

    @Test
    void aHeartbeatsLimitHoldsWhoeverAssigns() throws Exception {
        Configuration three = Ours.settings();
        three.setBoolean("yarn.scheduler.fair.assignmultiple", true);
        three.setBoolean("yarn.scheduler.fair.dynamic.max.assign", false);
        three.setInt("yarn.scheduler.fair.max.assign", 3);
        Configuration half = new Configuration(three);
        half.setBoolean("yarn.scheduler.fair.dynamic.max.assign", true);

        for (Configuration settings : List.of(three, half)) {
            Scripted ours = new Scripted();
            int stock = containersOfAHeartbeat(new FairScheduler(), settings);
            ours.allocateTwice();
            assertThat(stock).isBetween(3, SLOTS - 1);
            assertThat(containersOfAHeartbeat(ours, settings)).isEqualTo(stock);
        }
    }

    private int containersOfAHeartbeat(FairScheduler scheduler, Configuration settings) throws Exception {
        try (FairCluster cluster = new FairCluster(scheduler, clock, directory, QUEUES, settings)) {
            NodeId node = cluster.register(SLOTS * 1024, SLOTS);
            ask(cluster, scheduler);
            cluster.heartbeat(node);
            return cluster.running();
        }
    }

    private static void ask(FairCluster cluster, FairScheduler scheduler) {
        FSAppAttempt application = cluster.submit("root.any", Ours.TAG);
        cluster.ask(application, 1, SLOT, 100);
        if (scheduler instanceof Scripted scripted) {
            scripted.application = application;
        }
    }

    @Test
    void theRootQueuesMetricsSayWhatIsLeftWhenAllIsDecided() throws Exception {
        Scripted scheduler = new Scripted();
        try (FairCluster cluster = new FairCluster(scheduler, clock, directory, QUEUES, Ours.settings())) {
            NodeId node = cluster.register(SLOTS * 1024, SLOTS);
            ask(cluster, scheduler);
            scheduler.allocateTwice();
            cluster.heartbeat(node);

            assertThat(cluster.running()).isEqualTo(1);
            assertThat(scheduler.getRootQueueMetrics().getAvailableMB()).isEqualTo((SLOTS - 1) * 1024);
        }
    }

    @Test
    void aNodeThatIsTooFarAwayIsMissedOnce() throws Exception {
        Configuration settings = Ours.settings();
        settings.set("yarn.scheduler.fair.locality.threshold.node", "1");
        settings.set("yarn.scheduler.fair.locality.threshold.rack", "1");

        assertThat(missed(new FairScheduler(), settings)).isEqualTo(1);
        assertThat(missed(new Ours.Fair(clock), settings)).isEqualTo(1);
    }

    private int missed(FairScheduler scheduler, Configuration settings) throws Exception {
        try (FairCluster cluster = new FairCluster(scheduler, clock, directory, QUEUES, settings)) {
            NodeId near = cluster.register(SLOTS * 1024, SLOTS);
            NodeId far = cluster.register(SLOTS * 1024, SLOTS);
            FSAppAttempt application = cluster.submit("root.any", Ours.TAG);
            Ours.know(scheduler, clock.instant());
            cluster.ask(application, on(cluster.node(near), 1, true));
            cluster.report(far);
            cluster.heartbeat(far);

            assertThat(cluster.running()).isZero();
            return application.getSchedulingOpportunities(key(1));
        }
    }

    @Test
    void whatIsMatchedIsWhatIsHandedOut() throws Exception {
        List<AnyNeedyScheduler.Kind> matched = new ArrayList<>();
        AnyNeedyScheduler scheduler = new AnyNeedyScheduler(
                new Random(1), 1, (node, candidates) -> candidates.forEach(candidate -> matched.add(candidate.kind())));
        try (FairCluster cluster = new FairCluster(scheduler, clock, directory, QUEUES, Ours.settings())) {
            NodeId only = cluster.register(SLOTS * 1024, SLOTS);
            NodeId other = cluster.register(SLOTS * 1024, SLOTS);
            FSAppAttempt application = cluster.submit("root.any", Ours.TAG);
            cluster.ask(application, on(cluster.node(only), 1, false));
            cluster.ask(application, 2, SLOT, 1);
            cluster.heartbeat(other);
            cluster.heartbeat(only);

            assertThat(matched).extracting(AnyNeedyScheduler.Kind::priority).containsExactly(2, 1);
            assertThat(application.getLiveContainers())
                    .extracting(container ->
                            container.getAllocatedSchedulerKey().getPriority().getPriority())
                    .containsExactlyInAnyOrder(1, 2);
        }
    }

    /** What is sorted may change meanwhile; a list's sort throws then. */
    @Test
    void anOrderThatContradictsItselfStopsNothing() throws Exception {
        AnyNeedyScheduler scheduler = new AnyNeedyScheduler(new Random(1), 1, (node, candidates) -> {});
        String queues =
                "<queue name='any'><schedulingPolicy>" + Contradictory.class.getName() + "</schedulingPolicy></queue>";
        try (FairCluster cluster = new FairCluster(scheduler, clock, directory, queues, Ours.settings())) {
            NodeId node = cluster.register(50 * 1024, 50);
            for (int i = 0; i < 100; i++) {
                cluster.ask(cluster.submit("root.any", Ours.TAG), 1, SLOT, 1);
            }
            for (int i = 0; i < 20; i++) {
                clock.set(clock.seconds() + 1);
                // Then all are put in order anew, and not every such order is noticed.
                scheduler.update();
                cluster.heartbeat(node);
            }
            assertThat(cluster.running()).isEqualTo(20);
        }
    }

    /** As if usage changed with every comparison. */
    public static final class Contradictory extends FairSharePolicy {
        private final Random random = new Random(1);

        @Override
        public Comparator<Schedulable> getComparator() {
            return (one, other) -> one.equals(other) ? 0 : random.nextInt(3) - 1;
        }
    }

    private static SchedulerRequestKey key(int priority) {
        return SchedulerRequestKey.create(
                ResourceRequest.newInstance(Priority.newInstance(priority), ResourceRequest.ANY, SLOT, 1));
    }

    /** @param relaxed whether anywhere else will do, after a while */
    private static List<ResourceRequest> on(FSSchedulerNode node, int priority, boolean relaxed) {
        Priority at = Priority.newInstance(priority);
        return List.of(
                ResourceRequest.newInstance(at, node.getNodeName(), SLOT, 1, true),
                ResourceRequest.newInstance(at, node.getRackName(), SLOT, 1, relaxed),
                ResourceRequest.newInstance(at, ResourceRequest.ANY, SLOT, 1, relaxed));
    }
}
