package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.interference.yarn.ingest.Coverage;
import org.interference.yarn.place.Decision;
import org.interference.yarn.place.Ranking;
import org.interference.yarn.place.Verdict;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster in which the plugin is not yet everywhere. */
class RollingUpgradeTest {
    private static final int NODES = 4;
    private static final int NODE_MB = 4096;

    @TempDir
    private Path store;

    @Test
    void withThePluginOnHalfOfTheNodesEveryNodeIsUsedAndOnlyThatHalfIsRanked() throws Exception {
        Profiles.store(store, 0.3, List.of("cpu-task/priority-1"));
        try (MiniCluster cluster = MiniCluster.start("half of the nodes", NODES, conf -> {
            conf.set("yarn.interference.profile.store-dir", store.toString());
            conf.set(
                    "yarn.nodemanager.container-state-transition-listener.classes",
                    EverySecondNodeAgent.class.getName());
        })) {
            Set<String> nodes =
                    IntStream.range(0, NODES).mapToObj(cluster::node).collect(Collectors.toSet());
            await("reports of half of the nodes")
                    .atMost(PATIENCE)
                    .until(() -> cluster.sources()
                                    .ingest()
                                    .coverage(nodes, Instant.now())
                                    .fresh()
                            == NODES / 2);

            try (FakeApplication tasks = FakeApplication.start(cluster.conf(), "tasks", "ifc:cpu-task")) {
                List<Container> placed = tasks.ask(NODES, NODE_MB / 2 + 256, 1);

                assertThat(placed)
                        .extracting(container -> container.getNodeId().toString())
                        .containsExactlyInAnyOrderElementsOf(nodes);
                placed.forEach(cluster::decision);
                Decision first = cluster.sources().placement().decisions().newest(1000).stream()
                        .filter(decision -> decision.ranking().reason() == Ranking.Reason.RANKED)
                        .reduce((newer, older) -> older)
                        .orElseThrow();
                assertThat(first.ranking().verdicts())
                        .extracting(Verdict::reason)
                        .containsExactlyInAnyOrder(
                                Verdict.Reason.RANKED,
                                Verdict.Reason.RANKED,
                                Verdict.Reason.NEUTRAL_NO_SAMPLE,
                                Verdict.Reason.NEUTRAL_NO_SAMPLE);
                tasks.release(placed);
            }

            Coverage coverage = cluster.sources().ingest().coverage(nodes, Instant.now());
            assertThat(coverage.neverSeen()).isEqualTo(NODES / 2);
            assertThat(cluster.sources().placement().gate().health().errors()).isZero();
        }
    }

    @Test
    void aResourceManagerWithoutThePluginServesNodesThatHaveIt() throws Exception {
        try (MiniCluster cluster = MiniCluster.start("old ResourceManager", 2, conf -> {
            conf.set(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class.getName());
            conf.set(
                    "yarn.nodemanager.container-state-transition-listener.classes",
                    InjectedCountersAgent.class.getName());
        })) {
            try (FakeApplication tasks = FakeApplication.start(cluster.conf(), "tasks")) {
                List<Container> placed = tasks.ask(2, NODE_MB, 1);

                assertThat(placed)
                        .extracting(container -> container.getNodeId().toString())
                        .containsExactlyInAnyOrder(cluster.node(0), cluster.node(1));
                tasks.release(placed);
            }
        }
    }
}
