package org.interference.yarn.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ApplicationSchedulingConfig;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.NeedyApplications;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.OpenFairScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.Schedulable;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.policies.FairSharePolicy;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.Ranking;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The order that is kept between two updates of the FairScheduler holds whatever happens in between. */
@Timeout(300)
final class NeedyApplicationsTest {
    private static final Resource SLOT = Resource.newInstance(1024, 1);
    private static final int SLOTS = 40;
    private static final String QUEUES = "<queue name='any'/>";
    private static final String QUEUE = "root.any";

    @TempDir
    private Path directory;

    private final VirtualClock clock = new VirtualClock();

    /** Looks who may be served, an application at most one container ahead, and serves nobody. */
    private static final class Looking extends OpenFairScheduler {
        private final Set<FSAppAttempt> unmatched = new HashSet<>();
        private final NeedyApplications<String> needy = new NeedyApplications<>(
                this,
                (application, key) ->
                        unmatched.contains(application) ? Optional.empty() : Optional.of(application.getName()));
        private List<FSAppAttempt> eligible = List.of();

        @Override
        protected Decided decide(FSSchedulerNode node) {
            eligible = needy.almostEquallyNeedy(node, 1, 1000).stream()
                    .map(NeedyApplications.Candidate::application)
                    .toList();
            return Decided.LEFT;
        }
    }

    /** Nobody tells of its containers, so that its place would stay what it was at the last update. */
    @Test
    void whoBringsItsOwnAllocatorGetsNoMoreThanTheParentGivesIt() throws Exception {
        Ours.Fair scheduler = new Ours.Fair(clock);
        try (FairCluster cluster = new FairCluster(scheduler, clock, directory, QUEUES, Ours.settings())) {
            NodeId node = cluster.register(SLOTS * 1024, SLOTS);
            FSAppAttempt own = cluster.submit(
                    QUEUE,
                    Ours.TAG,
                    Map.of(
                            ApplicationSchedulingConfig.ENV_APPLICATION_PLACEMENT_TYPE_CLASS,
                            LocalityAppPlacementAllocator.class.getName()));
            FSAppAttempt usual = cluster.submit(QUEUE, Ours.TAG);
            Ours.know(scheduler, clock.instant());
            cluster.ask(own, 1, SLOT, SLOTS);
            cluster.ask(usual, 2, SLOT, SLOTS);
            for (int i = 0; i < 20; i++) {
                cluster.report(node);
                cluster.heartbeat(node);
            }

            assertThat(own.getLiveContainers()).hasSize(10);
            assertThat(usual.getLiveContainers()).hasSize(10);
        }
    }

    @Test
    void whoIsNotHeardOfTakesNobodysPlace() throws Exception {
        Looking scheduler = new Looking();
        try (FairCluster cluster = new FairCluster(scheduler, clock, directory, QUEUES, Ours.settings())) {
            NodeId node = cluster.register(SLOTS * 1024, SLOTS);
            FSAppAttempt silent = waiting(cluster);
            FSAppAttempt needy = waiting(cluster);
            FSAppAttempt ahead = waiting(cluster);
            scheduler.unmatched.add(silent);
            cluster.heartbeat(node);
            assign(cluster, node, silent, 10);
            assign(cluster, node, ahead, 2);
            scheduler.needy.moved(ahead.getApplicationAttemptId());

            cluster.heartbeat(node);

            assertThat(needy.getLiveContainers()).isEmpty();
            assertThat(scheduler.eligible).doesNotContain(ahead);
        }
    }

    /** An ApplicationMaster that starts anew keeps the containers of its last attempt, which end as that one's. */
    @Test
    void whoeverIsToldOfAsTwoAttemptsHasOnePlace() throws Exception {
        Looking scheduler = new Looking();
        try (FairCluster cluster = new FairCluster(scheduler, clock, directory, QUEUES, Ours.settings())) {
            NodeId node = cluster.register(SLOTS * 1024, SLOTS);
            FSAppAttempt restarted = waiting(cluster);
            FSAppAttempt other = waiting(cluster);
            cluster.heartbeat(node);
            ApplicationId application = restarted.getApplicationId();
            scheduler.needy.moved(ApplicationAttemptId.newInstance(application, 1));
            scheduler.needy.moved(ApplicationAttemptId.newInstance(application, 2));
            cluster.heartbeat(node);
            assertThat(scheduler.eligible).containsExactly(restarted, other);
            assign(cluster, node, restarted, 2);
            scheduler.needy.moved(restarted.getApplicationAttemptId());

            cluster.heartbeat(node);

            assertThat(scheduler.eligible).containsExactly(other);
        }
    }

    @Test
    void howFarOthersMayBeAheadFollowsWhatAnApplicationAsksForNow() throws Exception {
        Looking scheduler = new Looking();
        try (FairCluster cluster = new FairCluster(scheduler, clock, directory, QUEUES, Ours.settings())) {
            NodeId node = cluster.register(SLOTS * 1024, SLOTS);
            FSAppAttempt large = cluster.submit(QUEUE, Ours.TAG);
            cluster.ask(large, 1, Resource.newInstance(8 * 1024, 1), 1);
            cluster.ask(large, 2, SLOT, SLOTS);
            FSAppAttempt small = waiting(cluster);
            cluster.heartbeat(node);
            assign(cluster, node, large, 1);
            assign(cluster, node, small, 9);
            scheduler.needy.moved(large.getApplicationAttemptId());
            scheduler.needy.moved(small.getApplicationAttemptId());
            cluster.heartbeat(node);
            assertThat(scheduler.eligible).containsExactly(large, small);
            assign(cluster, node, small, 1);
            scheduler.needy.moved(small.getApplicationAttemptId());

            cluster.heartbeat(node);

            assertThat(scheduler.eligible).containsExactly(large);
        }
    }

    @Test
    void modesThatChangeHoldFromTheNextDecisionOn() throws Exception {
        Configuration shadow = Ours.settings();
        shadow.set("yarn.interference.place.mode", "shadow");

        changed(placement -> placement.refresh(PlaceSettings.from(shadow::get)));
        changed(placement -> {
            while (placement.gate().mode() == Mode.ON) {
                placement.gate().failed(new IllegalStateException("on purpose"));
            }
        });
    }

    /** @param change after which nothing is to be matched */
    private void changed(Consumer<Placement> change) throws Exception {
        Ours.Fair scheduler = new Ours.Fair(clock);
        try (FairCluster cluster = new FairCluster(scheduler, clock, directory, QUEUES, Ours.settings())) {
            NodeId node = cluster.register(SLOTS * 1024, SLOTS);
            FSAppAttempt application = waiting(cluster);
            Ours.know(scheduler, clock.instant());
            scheduler.update();
            cluster.report(node);
            cluster.heartbeat(node);
            assertThat(matched(scheduler)).isEqualTo(1);

            change.accept(placement(scheduler));
            cluster.heartbeat(node);

            assertThat(matched(scheduler)).isEqualTo(1);
            assertThat(application.getLiveContainers()).hasSize(2);
        }
    }

    private static Placement placement(Ours.Fair scheduler) {
        return scheduler.restSources().orElseThrow().placement();
    }

    private static long matched(Ours.Fair scheduler) {
        return placement(scheduler).decisions().counts().get(Ranking.Reason.MATCHED);
    }

    /** It is work, which a cluster of thousands of applications does twice a second; what goes beyond is a pause of the machine. */
    @ParameterizedTest
    @CsvSource({"20, 20, 40", "1000, 100, 101"})
    void theTimeThatItTakesToMakeTheOrderIsChargedInFull(int microsOfAComparison, long atLeast, long atMost)
            throws Exception {
        SlowToCompare.nanosOfAComparison = TimeUnit.MICROSECONDS.toNanos(microsOfAComparison);
        Ours.Fair scheduler = new Ours.Fair(clock, SlowToCompare.NANOS::get);
        String queues =
                "<queue name='any'><schedulingPolicy>" + SlowToCompare.class.getName() + "</schedulingPolicy></queue>";
        try (FairCluster cluster = new FairCluster(scheduler, clock, directory, queues, Ours.settings())) {
            NodeId node = cluster.register(SLOTS * 1024, SLOTS);
            for (int i = 0; i < 200; i++) {
                waiting(cluster);
            }
            Ours.know(scheduler, clock.instant());
            scheduler.update();
            cluster.report(node);
            cluster.heartbeat(node);
            Duration spent = placement(scheduler).gate().timeSpent();
            assertThat(spent).isBetween(Duration.ofMillis(atLeast), Duration.ofMillis(atMost));

            SlowToCompare.NANOS.addAndGet(TimeUnit.MINUTES.toNanos(1));
            cluster.heartbeat(node);

            assertThat(matched(scheduler)).isEqualTo(2);
            assertThat(placement(scheduler).gate().timeSpent().minus(spent)).isLessThanOrEqualTo(Duration.ofMillis(1));
        }
    }

    /** Each comparison takes its time. */
    public static final class SlowToCompare extends FairSharePolicy {
        private static final AtomicLong NANOS = new AtomicLong();
        private static volatile long nanosOfAComparison;

        @Override
        public Comparator<Schedulable> getComparator() {
            Comparator<Schedulable> parents = super.getComparator();
            return (one, other) -> {
                NANOS.addAndGet(nanosOfAComparison);
                return parents.compare(one, other);
            };
        }
    }

    private static FSAppAttempt waiting(FairCluster cluster) {
        FSAppAttempt application = cluster.submit(QUEUE, Ours.TAG);
        cluster.ask(application, 1, SLOT, SLOTS);
        return application;
    }

    private static void assign(FairCluster cluster, NodeId node, FSAppAttempt application, int containers) {
        for (int i = 0; i < containers; i++) {
            assertThat(Resources.isNone(application.assignContainer(cluster.node(node))))
                    .isFalse();
        }
    }
}
