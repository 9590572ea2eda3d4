package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.yarn.api.records.Container;
import org.interference.yarn.place.Decision;
import org.interference.yarn.place.NodeLoad;
import org.interference.yarn.place.Ranking;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Placement over real RPC: counters that the NodeManagers send decide where the ResourceManager puts containers. */
class PlacementTest {
    private static final int NODES = 3;
    /** More than half of a node: one fits on each. */
    private static final int NEIGHBOUR_MB = 2560;

    private static final int TASK_MB = 256;
    private static final int TASK_PRIORITY = 1;

    @TempDir
    private static Path store;

    private static MiniCluster cluster;
    private static FakeApplication neighbours;
    private static List<Container> running;

    @BeforeAll
    static void oneLongContainerOnEachNode() throws Exception {
        Profiles.store(store, 0.3, List.of("cpu-task/priority-" + TASK_PRIORITY));
        cluster = MiniCluster.start(PlacementTest.class.getSimpleName(), NODES, conf -> {
            conf.set("yarn.interference.profile.store-dir", store.toString());
            conf.set(
                    "yarn.nodemanager.container-state-transition-listener.classes",
                    InjectedCountersAgent.class.getName());
        });
        neighbours = FakeApplication.start(cluster.conf(), "neighbours");
        running = neighbours.ask(NODES, NEIGHBOUR_MB, 7);
        for (Container container : running) {
            neighbours.start(container, "exec sleep 600");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        if (neighbours != null) {
            neighbours.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void aTaskLandsOnTheLeastContendedNodeAndFollowsItWhenItMoves() throws Exception {
        try (FakeApplication tasks = FakeApplication.start(cluster.conf(), "tasks", "ifc:cpu-task")) {
            for (int quiet = 0; quiet < NODES; quiet++) {
                press(quiet, 0.0625, 0.875);

                List<Container> placed = tasks.ask(1, TASK_MB, TASK_PRIORITY);

                assertThat(nodes(placed)).containsExactly(node(quiet));
                Decision decision = decision(placed.get(0));
                assertThat(decision.ranking().reason()).isEqualTo(Ranking.Reason.RANKED);
                assertThat(decision.rank()).isEqualTo(1);
                assertThat(decision.ranking().profile()).isPresent();
                tasks.release(placed);
            }
        }
    }

    @Test
    void aBatchSpreadsOverTwoEquallyQuietNodes() throws Exception {
        press(NODES - 1, 0.875, 0.1875);
        try (FakeApplication tasks = FakeApplication.start(cluster.conf(), "batch", "ifc:cpu-task")) {

            List<Container> placed = tasks.ask(4, TASK_MB, TASK_PRIORITY);

            assertThat(nodes(placed).stream().collect(Collectors.groupingBy(node -> node, Collectors.counting())))
                    .containsOnlyKeys(node(0), node(1))
                    .containsEntry(node(0), 2L)
                    .containsEntry(node(1), 2L);
            tasks.release(placed);
        }
    }

    @Test
    void aTaskWithoutProfileIsPlacedByTheParentAndTheDecisionSaysSo() throws Exception {
        press(0, 0.0625, 0.875);
        try (FakeApplication tasks = FakeApplication.start(cluster.conf(), "newcomer", "ifc:never-seen")) {

            List<Container> placed = tasks.ask(1, TASK_MB, TASK_PRIORITY);

            Decision decision = decision(placed.get(0));
            assertThat(decision.ranking().reason()).isEqualTo(Ranking.Reason.PARENT_NO_PROFILE);
            assertThat(decision.ranking().verdicts()).isEmpty();
            tasks.release(placed);
        }
    }

    @Test
    void everyRestPathAnswersJson() throws Exception {
        MiniCluster.requireHttp();
        press(0, 0.0625, 0.875);

        assertThat(get("").path("paths").size()).isEqualTo(21);
        assertThat(get("/signals").path("signals")).hasSize(Signal.values().length);
        assertThat(get("/nodes").path("nodes")).hasSize(NODES).allMatch(node -> node.path("fresh")
                .asBoolean());
        assertThat(get("/containers").path("containers")).isNotEmpty();
        assertThat(get("/relocations").path("mode").asText()).isEqualTo("off");
        assertThat(get("/groups").path("total").asInt()).isZero();
        assertThat(get("/traffic").path("reason").asText()).contains("--peers");
        assertThat(get("/profiles").path("profiles").get(0).path("key").asText())
                .startsWith("ifc:" + System.getProperty("user.name") + "/cpu-task/");
        assertThat(get("/advice/kinds").at("/kinds/0/reason").asText()).isEqualTo("NOT_MEASURED");
        assertThat(get("/advice/nodes").path("nodes").asInt()).isEqualTo(NODES);
        assertThat(get("/advice/nodes").path("action").asText()).isEqualTo("SHRINK");
        assertThat(response("/advice/nodes?preparation=0").statusCode()).isEqualTo(400);
        assertThat(get("/clusters").path("points").isArray()).isTrue();
        assertThat(get("/model").path("champion").asText()).isEqualTo("none");
        assertThat(get("/decisions?limit=1").path("decisions")).hasSize(1);
        assertThat(get("/shadow-report").path("queues").isObject()).isTrue();
        assertThat(get("/plan-inputs").path("nodes")).hasSize(NODES);
        assertThat(get("/health").path("status").asText()).isEqualTo("OK");
        assertThat(response("/decisions?limit=none").statusCode()).isEqualTo(400);
    }

    /** Waits until the ResourceManager has heard that one node's neighbour presses by one level, the others by another: levels that travel unchanged. */
    private static void press(int exception, double level, double others) {
        for (int i = 0; i < NODES; i++) {
            InjectedCountersAgent.inject(node(i), i == exception ? level : others);
        }
        for (int i = 0; i < NODES; i++) {
            String node = node(i);
            double expected = i == exception ? level : others;
            await("%s to press by %s".formatted(node, expected))
                    .atMost(PATIENCE)
                    .until(
                            () -> cluster.sources().placement().accounts().load(node, Instant.now()),
                            load -> load.map(NodeLoad::containers).equals(Optional.of(List.of(cpu(expected)))));
        }
    }

    private static InterferenceVector cpu(double level) {
        return new InterferenceVector(Map.of(Signal.CPU, level));
    }

    private static String node(int index) {
        return running.get(index).getNodeId().toString();
    }

    private static List<String> nodes(List<Container> containers) {
        return containers.stream()
                .map(container -> container.getNodeId().toString())
                .toList();
    }

    private static Decision decision(Container container) {
        return cluster.decision(container);
    }

    private static JsonNode get(String path) throws Exception {
        HttpResponse<String> response = response(path);
        assertThat(response.statusCode()).as(path).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("application/json");
        return new ObjectMapper().readTree(response.body());
    }

    private static HttpResponse<String> response(String path) throws Exception {
        URI uri = URI.create("http://%s/ws/v1/interference%s".formatted(cluster.webAddress(), path));
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
    }
}
