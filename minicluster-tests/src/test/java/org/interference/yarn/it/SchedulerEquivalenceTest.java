package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.it.SeededLife.APPLICATIONS;
import static org.interference.yarn.it.SeededLife.placements;
import static org.interference.yarn.it.SeededLife.recorded;
import static org.interference.yarn.it.SeededLife.sources;
import static org.interference.yarn.it.SeededLife.tasks;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.Visits;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.place.Ranking;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Where the plugin has nothing to say, every container goes exactly where the stock CapacityScheduler puts it.
 *
 * <p>By {@link SeededLife}; the threads of asynchronous scheduling have no sequence of events to compare, so what they do is done by
 * hand.
 */
class SchedulerEquivalenceTest {
    @TempDir
    private Path directory;

    static Stream<Long> seeds() {
        return LongStream.rangeClosed(1, 3).boxed();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void modeOffPlacesEveryContainerAsTheStockSchedulerDoes(long seed) throws Exception {
        for (boolean multiNode : new boolean[] {false, true}) {
            assertThat(placements(seed, ours("off", "prior", multiNode)))
                    .as("multi-node placement %s", multiNode)
                    .isEqualTo(placements(seed, stock(multiNode)));
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void tasksWithoutProfileArePlacedAsTheStockSchedulerDoes(long seed) throws Exception {
        assertThat(placements(seed, ours("on", "prior", true))).isEqualTo(placements(seed, stock(true)));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aPredictorThatThrowsOnEveryCallLeavesEveryPlacementAsItWas(long seed) throws Exception {
        Profiles.store(directory, 0.5, tasks());
        Configuration conf = ours("on", ThrowingPredictor.class.getName(), true);
        AtomicLong errors = new AtomicLong();

        List<String> placements = placements(
                seed,
                conf,
                rm -> errors.set(sources(rm).placement().gate().health().errors()));

        assertThat(placements).isEqualTo(placements(seed, stock(true)));
        assertThat(errors.get()).as("errors counted").isPositive();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void modeShadowRecordsARankingAndPlacesEveryContainerAsTheStockSchedulerDoes(long seed) throws Exception {
        Profiles.store(directory, 0.5, tasks());
        AtomicLong ranked = new AtomicLong();

        List<String> placements = placements(seed, ours("shadow", "prior", true), rm -> ranked.set(ranked(rm)));

        assertThat(placements).isEqualTo(placements(seed, stock(true)));
        assertThat(ranked.get()).as("rankings recorded").isPositive();
    }

    /** Without this one, the others would also pass for a plugin that is never asked. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void modeOnWithProfilesPlacesSomeContainerElsewhere(long seed) throws Exception {
        Profiles.store(directory, 0.5, tasks());

        assertThat(placements(seed, ours("on", "prior", true))).isNotEqualTo(placements(seed, stock(true)));
    }

    /** As by a thread of asynchronous scheduling, which visits one node after the other. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void visitedNodesAreUsedAsByTheStockSchedulerButForModeOn(long seed) throws Exception {
        List<String> stock = placements(seed, stock(false), Visits::visit, rm -> {});
        assertThat(placements(seed, ours("on", "prior", false), Visits::visit, rm -> {}))
                .as("without profiles")
                .isEqualTo(stock);
        Profiles.store(directory, 0.5, tasks());
        AtomicLong inShadow = new AtomicLong();
        AtomicLong on = new AtomicLong();

        assertThat(placements(seed, ours("off", "prior", false), Visits::visit, rm -> {}))
                .as("mode off")
                .isEqualTo(stock);
        assertThat(placements(seed, ours("shadow", "prior", false), Visits::visit, rm -> inShadow.set(ranked(rm))))
                .as("mode shadow")
                .isEqualTo(stock);
        assertThat(placements(seed, ours("on", "prior", false), Visits::visit, rm -> on.set(ranked(rm))))
                .as("mode on")
                .isNotEqualTo(stock);
        assertThat(inShadow).as("rankings in shadow").hasPositiveValue();
        assertThat(on).as("rankings on").hasPositiveValue();
    }

    /** Whoever decided, and whether it still ran when it was accounted for. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyContainerIsRecordedOnce(long seed) throws Exception {
        Profiles.store(directory, 0.5, tasks());
        AtomicLong recorded = new AtomicLong();

        List<String> placements =
                placements(seed, ours("on", "prior", false), Visits::visit, rm -> recorded.set(recorded(sources(rm))));

        assertThat(recorded.get()).isEqualTo(placements.size() + APPLICATIONS);
    }

    private static long ranked(MockRM rm) {
        return sources(rm).placement().decisions().counts().get(Ranking.Reason.RANKED);
    }

    private Configuration stock(boolean multiNode) {
        YarnConfiguration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class.getName());
        conf.setBoolean("yarn.scheduler.capacity.schedule-asynchronously.enable", false);
        conf.setBoolean("yarn.scheduler.capacity.multi-node-placement-enabled", multiNode);
        conf.set("yarn.scheduler.capacity.multi-node-sorting.policy.names", "default");
        conf.set("yarn.scheduler.capacity.multi-node-sorting.policy", "default");
        conf.set(
                "yarn.scheduler.capacity.multi-node-sorting.policy.default.class",
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.ResourceUsageMultiNodeLookupPolicy");
        // Sorted at every call, not every second of this machine's clock.
        conf.setLong("yarn.scheduler.capacity.multi-node-sorting.policy.default.sorting-interval.ms", 0);
        VisitedCluster.leaveOutNone(conf);
        conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5");
        return conf;
    }

    private Configuration ours(String mode, String predictor, boolean multiNode) {
        Configuration conf = stock(multiNode);
        conf.set(YarnConfiguration.RM_SCHEDULER, InterferenceAwareScheduler.class.getName());
        conf.set("yarn.interference.place.mode", mode);
        MiniCluster.unhurried(conf);
        conf.set("yarn.interference.predict.predictor", predictor);
        conf.set("yarn.interference.profile.store-dir", directory.toString());
        return conf;
    }
}
