package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.interference.yarn.nm.control.CoreSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Node control switched on by configuration in a NodeManager whose containers are real processes in real control groups of version 1. What they
 * do is invented. Each leaves a process behind that outlives it: such a one must be given back, too.
 */
class ControlledContainersTest {
    private static final String COMMAND = "setsid sleep 900 & while :; do sleep 0.2; done";

    private final List<ProcessHandle> processes = new ArrayList<>();
    private CoreSet all;

    @BeforeEach
    void requireCpusets() {
        ControlGroups.assumePossible();
        all = ControlGroups.allowed(ProcessHandle.current()).orElseThrow();
    }

    @AfterEach
    void end() {
        processes.forEach(ProcessHandle::destroyForcibly);
    }

    @Test
    void ourRuleConfinesWhoWaitsAndNobodyElse() throws Exception {
        try (MiniCluster cluster = cluster("ours");
                FakeApplication application = FakeApplication.start(cluster.conf(), "controlled")) {
            List<Container> containers = launch(cluster, application);

            await("one core for who waits").atMost(PATIENCE).until(() -> cores(cluster, containers.get(2))
                    .equals(List.of(first(1))));
            assertThat(cores(cluster, containers.get(0))).containsOnly(all);
            assertThat(cores(cluster, containers.get(1))).containsOnly(all);

            undoes(cluster, application, containers);
        }
    }

    @Test
    void thePublishedRuleGivesEveryContainerItsCores() throws Exception {
        try (MiniCluster cluster = cluster("published");
                FakeApplication application = FakeApplication.start(cluster.conf(), "controlled")) {
            List<Container> containers = launch(cluster, application);
            int part = all.size() / 2;

            await("equal parts for who computes, the first two cores for who waits")
                    .atMost(PATIENCE)
                    .until(() -> groupsOf(containers).size() == containers.size()
                            && cores(cluster, containers.get(2)).equals(List.of(first(2)))
                            && parts(cluster, containers.subList(0, 2))
                                    .equals(List.of(all.slice(0, part), all.slice(part, 2 * part))));

            undoes(cluster, application, containers);
        }
    }

    /** Both at a container's end and at the NodeManager's stop. */
    private void undoes(MiniCluster cluster, FakeApplication application, List<Container> containers) throws Exception {
        List<ProcessHandle> survivors = List.copyOf(processes);
        Container ended = containers.get(2);
        assertThat(groupsOf(List.of(ended))).hasSize(1);
        application.kill(ended);
        await("the end of " + ended.getId()).atMost(PATIENCE).until(() -> groupsOf(List.of(ended))
                .isEmpty());

        cluster.nodeManager(0).stop();

        assertThat(groupsOf(containers)).isEmpty();
        List<CoreSet> left = survivors.stream()
                .flatMap(process -> ControlGroups.allowed(process).stream())
                .toList();
        assertThat(left)
                .as("of processes that outlive their containers")
                .hasSizeGreaterThanOrEqualTo(containers.size())
                .containsOnly(all);
    }

    /** Two that compute and one that waits. */
    private List<Container> launch(MiniCluster cluster, FakeApplication application) throws Exception {
        List<Container> containers = application.ask(3, 256, 1);
        InjectedWorkAgent.waits(containers.get(2).getId().toString());
        for (Container container : containers) {
            application.start(container, COMMAND);
        }
        for (Container container : containers) {
            await("the processes of " + container.getId())
                    .atMost(PATIENCE)
                    .until(() -> tree(cluster, container).size() >= 3);
            processes.addAll(tree(cluster, container));
        }
        return containers;
    }

    private static MiniCluster cluster(String rule) throws Exception {
        return MiniCluster.start(ControlledContainersTest.class.getSimpleName() + "-" + rule, 1, conf -> {
            conf.set(YarnConfiguration.NM_CONTAINER_STATE_TRANSITION_LISTENERS, InjectedWorkAgent.class.getName());
            // Who stops an application asks a NodeManager that has stopped for as long.
            conf.setLong(YarnConfiguration.CLIENT_NM_CONNECT_MAX_WAIT_MS, 500);
            conf.setLong(YarnConfiguration.CLIENT_NM_CONNECT_RETRY_INTERVAL_MS, 100);
            conf.set("yarn.interference.node-control.mode", "on");
            conf.set("yarn.interference.node-control.rule", rule);
            conf.set("yarn.interference.node-control.classifier", "blocked-io");
        });
    }

    private CoreSet first(int count) {
        return all.slice(0, Math.min(count, all.size()));
    }

    /** What the processes of each of {@code containers} may use, if they agree, in the order of cores. */
    private static List<CoreSet> parts(MiniCluster cluster, List<Container> containers) {
        List<CoreSet> parts = new ArrayList<>();
        for (Container container : containers) {
            parts.addAll(cores(cluster, container));
        }
        return parts.stream()
                .sorted((one, other) ->
                        Integer.compare(one.cores().first(), other.cores().first()))
                .toList();
    }

    /** What the processes of {@code container} may use, without repetitions. */
    private static List<CoreSet> cores(MiniCluster cluster, Container container) {
        return tree(cluster, container).stream()
                .flatMap(process -> ControlGroups.allowed(process).stream())
                .distinct()
                .toList();
    }

    private static List<ProcessHandle> tree(MiniCluster cluster, Container container) {
        String pid =
                cluster.nodeManager(0).getNMContext().getContainerExecutor().getProcessId(container.getId());
        return Stream.ofNullable(pid)
                .flatMap(text -> ProcessHandle.of(Long.parseLong(text)).stream())
                .flatMap(root -> Stream.concat(Stream.of(root), root.descendants()))
                .toList();
    }

    private static List<Path> groupsOf(List<Container> containers) {
        List<String> names = containers.stream()
                .map(container -> container.getId().toString())
                .toList();
        return ControlGroups.of(names::contains);
    }
}
