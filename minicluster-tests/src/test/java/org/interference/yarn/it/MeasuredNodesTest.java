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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.api.records.impl.pb.ResourceUtilizationPBImpl;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.signal.Untold;
import org.interference.yarn.wire.HeartbeatCodec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two NodeManagers of one JVM that measure real processes, by their own files and, where it can run, by the collector; what the
 * ResourceManager learns came over real heartbeats at the default interval.
 */
class MeasuredNodesTest {
    private static final int NODES = 2;
    private static final String LOOP = "while :; do :; done";
    /** Two seconds of a CPU, however long that takes on a machine with other work. */
    private static final String TWO_SECONDS = "sh -c 'ulimit -t 2; %s'; exit 0".formatted(LOOP);

    private static final String JMX = "Hadoop:service=NodeManager,name=InterferenceCounters,*";

    @TempDir
    private static Path directory;

    private static MiniCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = MiniCluster.start(MeasuredNodesTest.class.getSimpleName(), NODES, conf -> {
            conf.set(
                    "yarn.interference.profile.store-dir",
                    directory.resolve("store").toString());
            conf.set("yarn.interference.nm.collect.socket", socket().toString());
            conf.set(
                    "yarn.nodemanager.container-state-transition-listener.classes",
                    FailingOnDemandAgent.class.getName());
        });
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @AfterEach
    void mended() {
        FailingOnDemandAgent.mend();
    }

    @Test
    void aTaskOfTwoSecondsLeavesAProfile() throws Exception {
        try (FakeApplication application = FakeApplication.start(cluster.conf(), "two seconds")) {
            Container container = application.ask(1, 256, 1).get(0);
            application.start(container, TWO_SECONDS);

            TaskProfile profile = awaitProfile("two-seconds");
            ContainerReport last = awaitReport(container, ContainerReport::ended);

            assertThat(cpuSeconds(last)).isBetween(0.5, 2.5);
            assertThat(profile.load().level(Signal.CPU)).isPresent();
        }
    }

    @Test
    void aTaskShorterThanTheIntervalLeavesAProfile() throws Exception {
        try (FakeApplication application = FakeApplication.start(cluster.conf(), "under a second")) {
            for (Container container : application.ask(3, 256, 1)) {
                application.start(container, "timeout 0.8 sh -c '%s'; exit 0".formatted(LOOP));
                awaitReport(container, ContainerReport::ended);
            }

            TaskProfile profile = awaitProfile("under-a-second");

            assertThat(profile.load().level(Signal.CPU).orElse(0)).isPositive();
        }
    }

    @Test
    void aTaskOfTwoSecondsLeavesAProfileOfTheCollectorsSignals() throws Exception {
        Collector.assumePossible();
        try (Collector collector = Collector.start(socket(), Path.of("target", "intpd.log"));
                FakeApplication application = FakeApplication.start(cluster.conf(), "collected seconds")) {
            Container before = application.ask(1, 256, 1).get(0);
            application.start(before, "sleep 1000");
            awaitReport(before, report -> report.readings().get(Signal.NETS) instanceof Reading.Measured);

            Container container = application.ask(1, 256, 2).get(0);
            application.start(container, TWO_SECONDS);

            TaskProfile profile = awaitProfile("collected-seconds/priority-2");
            ContainerReport last = awaitReport(container, ContainerReport::ended);
            assertThat(last.readings().get(Signal.CPU).source()).isNotEqualTo("proc");
            assertThat(cpuSeconds(last)).isBetween(0.5, 2.5);
            assertThat(profile.load().level(Signal.CPU)).isPresent();
            assertThat(profile.load().level(Signal.NETS)).isPresent();
            assertThat(collector.isRunning()).isTrue();
        }
    }

    /** Both NodeManagers are on this machine. */
    @Test
    void nodesSayWhatTheyAreBusyWithThemselves() {
        for (RMNode node : nodes()) {
            NodeFigures figures = await("what " + node.getNodeID() + " says of itself")
                    .atMost(PATIENCE)
                    .until(() -> figures(node.getNodeID()), told -> told.value(NodeMetric.CPU)
                            .isPresent());

            assertThat(figures.values())
                    .containsEntry(
                            NodeMetric.CPUS, (double) Runtime.getRuntime().availableProcessors())
                    .containsKeys(NodeMetric.MEMORY, NodeMetric.SWITCHES, NodeMetric.FAULTS, NodeMetric.SPACE);
            assertThat(figures.value(NodeMetric.SWITCHES).getAsDouble()).isPositive();
            assertThat(figures.value(NodeMetric.MEMORY).getAsDouble()).isBetween(0.01, 1.0);
            assertThat(figures.untold()).containsEntry(NodeMetric.DISKRATE, Untold.NO_DISK_SETTING);
        }
    }

    /** It says one operation more each second. */
    @Test
    void whatAnApplicationWritesIntoItsWorkFolderArrives() throws Exception {
        try (FakeApplication application = FakeApplication.start(cluster.conf(), "progress")) {
            Container container = application.ask(1, 256, 1).get(0);
            application.start(
                    container, "head -c 1048576 /dev/zero >spill; while :; do date +%s >ifc-progress; sleep 0.2; done");

            ContainerReport report = awaitReport(container, told -> {
                double operations = told.mean().level(Signal.PROGRESS).orElse(0);
                return operations > 0.5
                        && operations < 1.5
                        && told.mean().level(Signal.DISK).isPresent();
            });

            assertThat(report.readings().get(Signal.PROGRESS).source()).isEqualTo("application");
            assertThat(report.mean().level(Signal.DISK).getAsDouble()).isPositive();
        }
    }

    private static NodeFigures figures(NodeId node) {
        return cluster.sources()
                .ingest()
                .newest(node.toString())
                .map(sample -> sample.report().figures())
                .orElse(NodeFigures.EMPTY);
    }

    @Test
    void nodeManagersOfOneJvmKeepTheirCountersApart() throws Exception {
        try (FakeApplication application = FakeApplication.start(cluster.conf(), "apart")) {
            List<Container> containers = new ArrayList<>(application.ask(2, 3072, 1));
            application.start(containers.get(0), LOOP);
            application.start(containers.get(1), "sleep 1000");

            ContainerReport busy = awaitReport(containers.get(0), report -> cpu(report) > 0.05);
            ContainerReport idle = awaitReport(containers.get(1), report -> cpu(report) >= 0);

            assertThat(containers.get(0).getNodeId())
                    .isNotEqualTo(containers.get(1).getNodeId());
            assertThat(cpu(idle)).isLessThan(cpu(busy) / 2);
            assertThat(report(containers.get(0).getNodeId(), containers.get(1))).isEmpty();
            assertThat(report(containers.get(1).getNodeId(), containers.get(0))).isEmpty();
            assertThat(shownInJmx(containers.get(0)))
                    .containsExactly(containers.get(0).getNodeId().toString());
            assertThat(shownInJmx(containers.get(1)))
                    .containsExactly(containers.get(1).getNodeId().toString());
        }
    }

    @Test
    void aContainerThatIsInitialisedAgainIsMeasuredOn() throws Exception {
        try (FakeApplication application = FakeApplication.start(cluster.conf(), "again")) {
            Container container = application.ask(1, 256, 1).get(0);
            application.start(container, "exec sleep 1000");
            ContainerReport asleep = awaitReport(container, report -> cpu(report) >= 0);

            application.restart(container, LOOP);

            // Its first milliseconds kept a CPU busy, too.
            ContainerReport awake =
                    awaitReport(container, report -> !report.launch().equals(asleep.launch()) && cpu(report) > 0.05);
            assertThat(awake.ended()).isFalse();
            assertThat(awake.observed()).isGreaterThan(asleep.observed());
            assertThat(asleep.launch()).isPresent();
            assertThat(awake.launch()).isPresent().isNotEqualTo(asleep.launch());
        }
    }

    @Test
    void aContainerThatIsGivenMoreMemoryIsMeasuredOn() throws Exception {
        try (FakeApplication application = FakeApplication.start(cluster.conf(), "more")) {
            Container container = application.ask(1, 256, 1).get(0);
            application.start(container, LOOP);
            ContainerReport before = awaitReport(container, report -> cpu(report) > 0.05);

            application.increase(container, 512);

            ContainerReport after = awaitReport(
                    container,
                    report -> report.observed().compareTo(before.observed().plusSeconds(2)) > 0);
            assertThat(after.ended()).isFalse();
            assertThat(cpu(after)).isPositive();
            assertThat(after.launch()).isEqualTo(before.launch());
        }
    }

    @Test
    void aKilledContainerLeavesALastReport() throws Exception {
        try (FakeApplication application = FakeApplication.start(cluster.conf(), "killed")) {
            Container container = application.ask(1, 256, 1).get(0);
            application.start(container, LOOP);
            awaitReport(container, report -> cpu(report) > 0.05);

            application.kill(container);

            ContainerReport last = awaitReport(container, ContainerReport::ended);
            assertThat(last.mean().level(Signal.CPU).orElse(0)).isPositive();
        }
    }

    @Test
    void aPluginThatThrowsLeavesItsNodesHeartbeatsStockAndTheNodeServing() throws Exception {
        try (FakeApplication application = FakeApplication.start(cluster.conf(), "broken")) {
            for (RMNode node : nodes()) {
                FailingOnDemandAgent.breakOn(node.getNodeID().toString());
            }
            await("stock heartbeats").atMost(PATIENCE).until(() -> nodes().stream()
                    .noneMatch(this::carriesAReport));

            Container container = application.ask(1, 256, 1).get(0);
            application.start(container, "exit 0");
            await("the end of the container, which the ResourceManager learns from a heartbeat")
                    .atMost(PATIENCE)
                    .until(() -> cluster.resourceManager()
                            .getResourceScheduler()
                            .getSchedulerAppInfo(container.getId().getApplicationAttemptId())
                            .getLiveContainers()
                            .isEmpty());
            assertThat(nodes()).extracting(RMNode::getState).containsOnly(NodeState.RUNNING);
            assertThat(nodes()).noneMatch(this::carriesAReport);

            FailingOnDemandAgent.mend();
            await("reports again").atMost(PATIENCE).until(() -> nodes().stream().allMatch(this::carriesAReport));
        }
    }

    private static Path socket() {
        return directory.resolve("intpd.sock");
    }

    private static List<RMNode> nodes() {
        return List.copyOf(cluster.resourceManager().getRMContext().getRMNodes().values());
    }

    private boolean carriesAReport(RMNode node) {
        return node.getNodeUtilization() instanceof ResourceUtilizationPBImpl utilization
                && utilization.getProto().getUnknownFields().hasField(HeartbeatCodec.CARRIER_FIELD);
    }

    private static TaskProfile awaitProfile(String name) {
        return await("profile of " + name)
                .atMost(PATIENCE)
                .until(
                        () -> cluster.sources().learnt().profiles().all().stream()
                                .filter(profile -> profile.key().text().contains("/" + name + "/"))
                                .findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    private static ContainerReport awaitReport(Container container, Predicate<ContainerReport> condition) {
        return await("report of " + container.getId())
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> report(container.getNodeId(), container), report -> report.filter(condition)
                        .isPresent())
                .orElseThrow();
    }

    private static Optional<ContainerReport> report(NodeId node, Container container) {
        Optional<NodeSample> sample = cluster.sources().ingest().newest(node.toString());
        return sample.stream()
                .flatMap(newest -> newest.report().containers().stream())
                .filter(report -> report.container().equals(container.getId().toString()))
                .findFirst();
    }

    /** The newest CPU level; -1 while there is none. */
    private static double cpu(ContainerReport report) {
        return report.newest().level(Signal.CPU).orElse(-1);
    }

    /** What a container has had of all CPUs while it was observed. */
    private static double cpuSeconds(ContainerReport report) {
        return report.mean().level(Signal.CPU).orElse(0)
                * report.observed().toMillis()
                / 1000
                * Runtime.getRuntime().availableProcessors();
    }

    /** The NodeManagers whose beans show {@code container}, as their web server answers. */
    private static List<String> shownInJmx(Container container) throws Exception {
        int port = cluster.nodeManager(0).getNMContext().getHttpPort();
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:%d/jmx?qry=%s".formatted(port, JMX)))
                                .timeout(PATIENCE)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        List<String> shown = new ArrayList<>();
        for (JsonNode bean : new ObjectMapper().readTree(response.body()).path("beans")) {
            for (JsonNode listed : bean.path("Containers")) {
                if (listed.path("container").asText().equals(container.getId().toString())) {
                    shown.add(bean.path("Node").asText());
                }
            }
        }
        return shown;
    }
}
