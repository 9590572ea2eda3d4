package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.it.SeededLife.APPLICATIONS;
import static org.interference.yarn.it.SeededLife.placements;
import static org.interference.yarn.it.SeededLife.recorded;
import static org.interference.yarn.it.SeededLife.sources;
import static org.interference.yarn.it.SeededLife.tasks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.interference.yarn.InterferenceAwareFairScheduler;
import org.interference.yarn.place.Ranking;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Where the plugin has nothing to say, every container goes exactly where the stock FairScheduler puts it. */
class FairEquivalenceTest {
    @TempDir
    private Path directory;

    static Stream<Long> seeds() {
        return LongStream.rangeClosed(1, 3).boxed();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void modesOffAndShadowPlaceEveryContainerAsTheStockSchedulerDoes(long seed) throws Exception {
        unlikeProfiles();
        List<String> stock = placements(seed, stock());

        assertThat(placements(seed, ours("off", "prior", 1))).isEqualTo(stock);
        assertThat(placements(seed, ours("shadow", "prior", 1))).isEqualTo(stock);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void withoutSlackOrProfilesEveryContainerIsPlacedAsTheStockSchedulerDoes(long seed) throws Exception {
        List<String> stock = placements(seed, stock());
        assertThat(placements(seed, ours("on", "prior", 1))).isEqualTo(stock);

        unlikeProfiles();
        assertThat(placements(seed, ours("on", "prior", 0))).isEqualTo(stock);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aPredictorThatThrowsOnEveryCallLeavesEveryPlacementAsItWas(long seed) throws Exception {
        unlikeProfiles();
        AtomicLong errors = new AtomicLong();

        List<String> placements = placements(
                seed,
                ours("on", ThrowingPredictor.class.getName(), 1),
                rm -> errors.set(sources(rm).placement().gate().health().errors()));

        assertThat(placements).isEqualTo(placements(seed, stock()));
        assertThat(errors.get()).as("errors counted").isPositive();
    }

    /** Without this one, the others would also pass for a plugin that is never asked. Where nobody else waits nothing is matched. */
    @Test
    void whoGainsMoreIsServedBeforeWhoNeedsALittleMore() throws Exception {
        unlikeProfiles();
        AtomicLong matched = new AtomicLong();
        long changed = 0;
        for (long seed : seeds().toList()) {
            List<String> placements = placements(
                    seed,
                    ours("on", "prior", 2),
                    rm -> matched.addAndGet(
                            sources(rm).placement().decisions().counts().get(Ranking.Reason.MATCHED)));
            changed += placements.equals(placements(seed, stock())) ? 0 : 1;
        }

        assertThat(changed).as("lives that went otherwise").isPositive();
        assertThat(matched.get()).as("containers matched").isPositive();
    }

    /** Whoever decided, and whether it still ran when it was accounted for. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void everyContainerIsRecordedOnce(long seed) throws Exception {
        unlikeProfiles();
        AtomicLong recorded = new AtomicLong();

        List<String> placements = placements(seed, ours("on", "prior", 2), rm -> recorded.set(recorded(sources(rm))));

        assertThat(recorded.get()).isEqualTo(placements.size() + APPLICATIONS);
    }

    /** Tasks of one priority use the CPU in full, those of another hardly at all. */
    private void unlikeProfiles() throws IOException {
        for (int i = 0; i < tasks().size(); i++) {
            Profiles.store(directory, i % 2 == 0 ? 0.9 : 0.1, List.of(tasks().get(i)));
        }
    }

    private static Configuration stock() {
        YarnConfiguration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, FairScheduler.class.getName());
        conf.setLong("yarn.scheduler.fair.update-interval-ms", Integer.MAX_VALUE);
        return conf;
    }

    private Configuration ours(String mode, String predictor, int ahead) {
        Configuration conf = stock();
        conf.set(YarnConfiguration.RM_SCHEDULER, InterferenceAwareFairScheduler.class.getName());
        conf.set("yarn.interference.place.mode", mode);
        MiniCluster.unhurried(conf);
        conf.setInt("yarn.interference.place.containers-ahead", ahead);
        conf.setDouble("yarn.interference.place.min-measured", 0);
        conf.set("yarn.interference.predict.predictor", predictor);
        conf.set("yarn.interference.profile.store-dir", directory.toString());
        return conf;
    }
}
