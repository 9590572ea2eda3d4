package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Daemons killed at once and started again, as processes of their own; their containers go on and are measured again. */
@Timeout(900)
class RecoveryTest {

    @TempDir
    private static Path directory;

    private static Daemons daemons;
    private static Process resourceManager;
    private static Process nodeManager;

    @BeforeAll
    static void install() throws Exception {
        daemons = Daemons.install(directory, conf -> {
            MiniCluster.recovery(conf, directory.resolve("state"));
            Daemons.nodeRecovery(conf, directory);
        });
        resourceManager = daemons.startResourceManager();
        nodeManager = daemons.startNodeManager();
    }

    @AfterAll
    static void end() {
        if (daemons != null) {
            daemons.close();
        }
    }

    @Test
    void aNodeManagerKilledAndRestartedMeasuresItsContainersAgainAndTheirTaskIsLearnt() throws Exception {
        FakeApplication application = FakeApplication.start(daemons.conf(), "outlives its node");
        Container container = busyUntil(application, "node restarted");
        long before = awaitSequenceAbove(5);

        nodeManager.destroyForcibly().waitFor();
        nodeManager = daemons.startNodeManager();

        await("a report of the new sender")
                .atMost(PATIENCE)
                .until(RecoveryTest::sequence, sequence -> sequence > 0 && sequence < before);
        awaitMeasured(container);
        Files.writeString(directory.resolve("node restarted"), "");
        await("profile of the task")
                .atMost(PATIENCE)
                .until(() -> daemons.get("profiles").toString().contains("yarn/outlives-its-node/priority-1/"));
        application.close();
        assertThat(application.finalStatus(daemons.conf())).isEqualTo(FinalApplicationStatus.SUCCEEDED);
        assertThat(daemons.get("health")
                        .path("counters")
                        .path("heartbeats.FAILED")
                        .asInt())
                .isZero();
    }

    @Test
    void aResourceManagerKilledAndRestartedKnowsTheRunningContainersAndGoesOnPlacing() throws Exception {
        FakeApplication application = FakeApplication.start(daemons.conf(), "outlives its ResourceManager");
        Container container = busyUntil(application, "ResourceManager restarted");

        resourceManager.destroyForcibly().waitFor();
        resourceManager = daemons.startResourceManager();

        awaitMeasured(container);
        List<Container> more = application.ask(1, 256, 2);
        assertThat(daemons.get("health").path("counters").path("errors").asInt())
                .isZero();
        assertThat(daemons.get("decisions").path("decisions").findValuesAsText("container"))
                .contains(more.get(0).getId().toString());
        Files.writeString(directory.resolve("ResourceManager restarted"), "");
        application.release(more);
        application.close();
        assertThat(application.finalStatus(daemons.conf())).isEqualTo(FinalApplicationStatus.SUCCEEDED);
    }

    @Test
    void aResourceManagerThatIsStoppedAndStartedGoesOnFromWhatItHadObserved() throws Exception {
        FakeApplication application = FakeApplication.start(daemons.conf(), "teaches");
        busyUntil(application, "has run alone");
        awaitSequenceAbove(sequence() + 3);
        Files.writeString(directory.resolve("has run alone"), "");
        await("the task alone")
                .atMost(PATIENCE)
                .until(() -> daemons.get("profiles").toString().contains("yarn/teaches/priority-1/"));
        List<Container> together =
                List.of(busyUntil(application, "has met another"), busyUntil(application, "has met another"));
        awaitSequenceAbove(sequence() + 3);
        Files.writeString(directory.resolve("has met another"), "");
        await("what both of them teach")
                .atMost(PATIENCE)
                .until(() -> daemons.get("model").path("observed").asLong() == together.size());

        resourceManager.destroy();
        resourceManager.waitFor();
        resourceManager = daemons.startResourceManager();

        // It is active before its store is read.
        await("what both of them have taught")
                .atMost(PATIENCE)
                .until(() -> daemons.get("model").path("observed").asLong() == together.size());
        JsonNode model = daemons.get("model");
        assertThat(model.path("rows").asLong() + model.path("heldOut").asLong()).isEqualTo(together.size());
        assertThat(daemons.get("health").path("problems").toString()).doesNotContain("observations");
        application.close();
        assertThat(application.finalStatus(daemons.conf())).isEqualTo(FinalApplicationStatus.SUCCEEDED);
    }

    /** Starts a container that burns CPU until a file appears, and waits until it is measured. */
    private static Container busyUntil(FakeApplication application, String file) throws Exception {
        Container container = application.ask(1, 256, 1).get(0);
        application.start(container, Daemons.busyUntil(directory, directory.resolve(file)));
        awaitMeasured(container);
        return container;
    }

    private static void awaitMeasured(Container container) {
        await("a CPU level of " + container.getId())
                .atMost(PATIENCE)
                .until(() -> cpu(container), level -> level > 0.05);
    }

    private static double cpu(Container container) throws Exception {
        for (JsonNode known : daemons.get("containers").path("containers")) {
            if (known.path("container").asText().equals(container.getId().toString())
                    && known.path("state").asText().equals("RUNNING")) {
                return known.path("signals").path("cpu").path("level").asDouble();
            }
        }
        return 0;
    }

    private static long awaitSequenceAbove(long least) {
        return await("more than %d samples".formatted(least))
                .atMost(PATIENCE)
                .until(RecoveryTest::sequence, sequence -> sequence > least);
    }

    /** Of the newest report of the one node; 0 if there is none. */
    private static long sequence() throws Exception {
        JsonNode nodes = daemons.get("nodes").path("nodes");
        return (nodes.isEmpty() ? MissingNode.getInstance() : nodes.get(0))
                .path("sequence")
                .asLong();
    }
}
