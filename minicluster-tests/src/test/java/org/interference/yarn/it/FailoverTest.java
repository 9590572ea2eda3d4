package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeStatusEvent;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.place.Ranking;
import org.interference.yarn.rest.RestHost;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two ResourceManagers in one JVM, of which one stands by; applications outlive the change from one to the other. */
class FailoverTest {
    private static final int NODES = 3;
    /** This one is without the plugin. */
    private static final int SILENT = 2;
    /** More than half of a node: one fits on each. */
    private static final int TASK_MB = 2560;

    @TempDir
    private static Path directory;

    private static MiniCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        Profiles.store(directory.resolve("profiles"), 0.3, List.of("cpu-task/priority-1"));
        cluster = MiniCluster.startPair(FailoverTest.class.getSimpleName(), NODES, directory.resolve("state"), conf -> {
            conf.set(
                    "yarn.interference.profile.store-dir",
                    directory.resolve("profiles").toString());
            conf.set(
                    "yarn.nodemanager.container-state-transition-listener.classes",
                    InjectedCountersAgent.class.getName());
        });
    }

    @AfterAll
    static void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void theNewActiveOneKnowsEveryNodeByItsThirdHeartbeatAndApplicationsSucceedThereAndBack() throws Exception {
        ScriptedHeartbeats.sendNothing(cluster.nodeManager(SILENT));
        FakeApplication tasks = FakeApplication.start(cluster.conf(), "tasks", "ifc:cpu-task");
        List<Container> running = new ArrayList<>(tasks.ask(NODES, TASK_MB, 1));
        for (Container container : running) {
            tasks.start(container, "exec sleep 600");
            InjectedCountersAgent.inject(container.getNodeId().toString(), 0.5);
        }
        awaitSamplesOf(running);
        assertThat(metric("tag.ResourceManager")).isEqualTo("rm0");

        Map<String, Integer> late = failOver(0, 1, running);

        assertThat(late)
                .as("containers not known at the third heartbeat of their node")
                .isEmpty();
        assertThat(metric("tag.ResourceManager")).isEqualTo("rm1");
        assertThat((long) metric("NodesFresh")).isEqualTo(NODES - 1);
        assertThat((long) metric("NodesNeverSeen")).isEqualTo(1);
        // They are accounted for in the background.
        await("recovered containers that nobody measures count as their profile says")
                .atMost(PATIENCE)
                .until(() ->
                        cluster.sources().placement().accounts().unmeasured(cluster.node(SILENT), Instant.now()) == 1);
        Container another = tasks.ask(1, 256, 1).get(0);
        assertThat(cluster.decision(another).ranking().reason()).isEqualTo(Ranking.Reason.RANKED);

        assertThat(failOver(1, 0, running)).isEmpty();

        assertThat(metric("tag.ResourceManager")).isEqualTo("rm0");
        tasks.release(running);
        tasks.close();
        assertThat(tasks.finalStatus(cluster.conf())).isEqualTo(FinalApplicationStatus.SUCCEEDED);
        assertThat(cluster.sources().placement().gate().health().errors()).isZero();
    }

    /** Changes over, and returns how many of {@code running} the third heartbeat of each node found missing. */
    private static Map<String, Integer> failOver(int from, int to, List<Container> running) throws Exception {
        ResourceManager next = cluster.resourceManager(to);
        Map<String, Integer> beats = new ConcurrentHashMap<>();
        Map<String, Integer> late = new ConcurrentHashMap<>();
        next.getRMContext().getDispatcher().register(RMNodeEventType.class, event -> {
            if (event instanceof RMNodeStatusEvent status) {
                String node = status.getNodeId().toString();
                if (beats.merge(node, 1, Integer::sum) == 3 && !node.equals(cluster.node(SILENT))) {
                    running.stream()
                            .filter(container ->
                                    container.getNodeId().toString().equals(node))
                            .filter(container -> !isMeasured(next, container))
                            .forEach(container -> late.merge(node, 1, Integer::sum));
                }
            }
        });
        cluster.failOver(from, to);
        Set<String> nodes = Set.of(cluster.node(0), cluster.node(1), cluster.node(2));
        await("three heartbeats of every node").atMost(PATIENCE).until(() -> Map.copyOf(beats), seen -> nodes.stream()
                .allMatch(node -> seen.getOrDefault(node, 0) >= 3));
        return late;
    }

    private static void awaitSamplesOf(List<Container> containers) {
        await("a measurement of every container on a node with the plugin")
                .atMost(PATIENCE)
                .until(() -> containers.stream()
                        .filter(container -> !container.getNodeId().toString().equals(cluster.node(SILENT)))
                        .allMatch(container -> isMeasured(cluster.resourceManager(), container)));
    }

    private static boolean isMeasured(ResourceManager resourceManager, Container container) {
        return ((RestHost) resourceManager.getResourceScheduler())
                .restSources()
                .flatMap(sources -> sources.ingest().fresh(container.getNodeId().toString(), Instant.now()))
                .map(NodeSample::running)
                .filter(measured -> measured.containsKey(container.getId().toString()))
                .isPresent();
    }

    /** As an operator's monitoring reads it. */
    private static Object metric(String attribute) throws Exception {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        Set<ObjectName> names = beans.queryNames(new ObjectName("Hadoop:name=InterferenceScheduler*,*"), null);
        assertThat(names).as("only the active ResourceManager publishes").hasSize(1);
        return beans.getAttribute(names.iterator().next(), attribute);
    }
}
