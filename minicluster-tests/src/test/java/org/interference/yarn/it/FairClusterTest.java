package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.interference.yarn.InterferenceAwareFairScheduler;
import org.interference.yarn.place.Differences;
import org.interference.yarn.place.Matching;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.Offer;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Ranking;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole cluster under our FairScheduler, over real RPC. */
class FairClusterTest {
    private static final int NODES = 2;

    @TempDir
    private static Path store;

    private static MiniCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        Profiles.store(store, 0.3, List.of("cpu-task/priority-1"));
        cluster = MiniCluster.start(FairClusterTest.class.getSimpleName(), NODES, conf -> {
            conf.set(YarnConfiguration.RM_SCHEDULER, InterferenceAwareFairScheduler.class.getName());
            // A user named root would have a queue of that name, which is no leaf.
            conf.setBoolean("yarn.scheduler.fair.user-as-default-queue", false);
            conf.set("yarn.interference.profile.store-dir", store.toString());
        });
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void everyContainerOfAKnownKindIsMatched() throws Exception {
        await("a sample from every node, and that it is known")
                .atMost(PATIENCE)
                .until(() -> cluster.sources().ingest().all().size() == NODES
                        && cluster.sources().placement().freeNodes().mayMatch());
        try (FakeApplication tasks = FakeApplication.start(cluster.conf(), "tasks", "ifc:cpu-task")) {

            List<Container> placed = tasks.ask(6, 256, 1);

            assertThat(placed).hasSize(6);
            assertThat(cluster.sources().placement().decisions().counts()).containsEntry(Ranking.Reason.MATCHED, 6L);
            assertThat(cluster.sources().placement().freeNodes().counts().get(Matching.Reason.TAKEN_BEST))
                    .isGreaterThanOrEqualTo(6);
            assertThat(cluster.sources().placement().gate().health().errors()).isZero();
            tasks.release(placed);
        }
    }

    @Test
    void inShadowEachPlacementTellsWhoWaitedAndNothingIsMatched() throws Exception {
        cluster.sources().placement().refresh(settings("shadow"));
        await("a sample from every node, and that it is known")
                .atMost(PATIENCE)
                .until(() -> cluster.sources().ingest().all().size() == NODES
                        && cluster.sources().placement().freeNodes().mayMatch());
        long matched = cluster.sources().placement().decisions().counts().get(Ranking.Reason.MATCHED);
        try (FakeApplication tasks = FakeApplication.start(cluster.conf(), "tasks", "ifc:cpu-task")) {
            List<Container> placed = tasks.ask(2, 256, 1);

            assertThat(cluster.sources().placement().decisions().counts())
                    .containsEntry(Ranking.Reason.MATCHED, matched);
            for (Container container : placed) {
                Ranking ranking = cluster.decision(container).ranking();
                assertThat(ranking.offered().orElseThrow().mode()).isEqualTo(Mode.SHADOW);
                assertThat(ranking.offered().orElseThrow().decision().reason()).isEqualTo(Offer.Reason.FIRST);
            }
            Differences.Saved all = cluster.sources()
                    .placement()
                    .decisions()
                    .differences()
                    .between(Instant.MIN, Instant.MAX)
                    .all();
            assertThat(all.placements()).isEqualTo(2);
            assertThat(all.differing()).isZero();
            tasks.release(placed);
        } finally {
            cluster.sources().placement().refresh(settings("on"));
        }
    }

    private static PlaceSettings settings(String mode) {
        Configuration conf = new Configuration(false);
        MiniCluster.unhurried(conf);
        conf.set("yarn.interference.place.mode", mode);
        return PlaceSettings.from(conf::get);
    }
}
