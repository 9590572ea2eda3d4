package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.interference.yarn.nm.control.CoreSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Node control stays switched on in a NodeManager that is killed, or stopped, and started again, while its containers go on: a process of its own,
 * that recovers them, with the collector's counts and the rule of CSS, under which containers that compute get equal parts of the cores.
 */
@Timeout(900)
class ControlledRecoveryTest {
    private static final int CONTAINERS = 2;

    @TempDir
    private Path directory;

    private List<Container> containers = List.of();

    @Test
    void containersAreGivenBackWhenTheirNodeManagerEndsAndControlledAgainByTheNext() throws Exception {
        ControlGroups.assumePossible();
        Collector.assumePossible();
        Path socket = directory.resolve("intpd.sock");
        try (Collector collector =
                        Collector.start(socket, Path.of("target", "ControlledRecoveryTest-intpd.log"), "--futex");
                Daemons daemons = Daemons.install(directory, conf -> {
                    conf.setBoolean(YarnConfiguration.NM_RECOVERY_ENABLED, true);
                    // Without, containers end with a NodeManager that is stopped.
                    conf.setBoolean(YarnConfiguration.NM_RECOVERY_SUPERVISED, true);
                    conf.set(
                            YarnConfiguration.NM_RECOVERY_DIR,
                            directory.resolve("recovery").toString());
                    conf.set(YarnConfiguration.NM_ADDRESS, MiniCluster.freeAddress());
                    conf.setInt("yarn.client.nodemanager-connect.retry-interval-ms", 300);
                    conf.set("yarn.interference.nm.collect.socket", socket.toString());
                    conf.set("yarn.interference.node-control.mode", "on");
                    conf.set("yarn.interference.node-control.rule", "published");
                })) {
            daemons.startResourceManager();
            Process node = daemons.startNodeManager();
            try (FakeApplication application = FakeApplication.start(daemons.conf(), "controlled")) {
                launch(application);
                List<Object> first = awaitControlled();

                Daemons.end(node);
                assertThat(groups()).as("what a killed NodeManager cannot undo").hasSize(CONTAINERS);
                node = daemons.startNodeManager();
                await("groups that the next NodeManager has made")
                        .atMost(PATIENCE)
                        .until(() -> awaitControlled().stream().noneMatch(first::contains));

                node.destroy();
                node.waitFor();
                assertThat(groups()).as("after the NodeManager was stopped").isEmpty();
                assertThat(cores())
                        .as("of containers that go on without a NodeManager")
                        .hasSize(CONTAINERS)
                        .containsOnly(all());

                daemons.startNodeManager();
                awaitControlled();
                Files.writeString(directory.resolve("end"), "");
                await("the containers' end").atMost(PATIENCE).until(() -> groups().isEmpty());
            }
            assertThat(collector.isRunning()).isTrue();
        }
    }

    /**
     * Containers that compute until a file appears. What a killed NodeManager started is nobody's child, so they also end with the test's
     * directory.
     */
    private void launch(FakeApplication application) throws Exception {
        containers = application.ask(CONTAINERS, 256, 1);
        for (Container container : containers) {
            application.start(
                    container,
                    "echo $$ >'%s'; while [ -d '%s' -a ! -e '%s' ]; do i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; done; exit 0"
                            .formatted(pidFile(container), directory, directory.resolve("end")));
        }
    }

    /** Waits until each container has a group and a part of the cores of its own; returns what the groups' folders are known by to the kernel. */
    private List<Object> awaitControlled() throws IOException {
        CoreSet all = all();
        int part = all.size() / CONTAINERS;
        List<CoreSet> parts = List.of(all.slice(0, part), all.slice(part, 2 * part));
        await("parts of the cores").atMost(PATIENCE).untilAsserted(() -> {
            assertThat(groups()).hasSize(CONTAINERS);
            assertThat(cores()).containsExactlyInAnyOrderElementsOf(parts);
        });
        List<Object> inodes = new ArrayList<>();
        for (Path group : groups()) {
            inodes.add(Files.getAttribute(group, "unix:ino"));
        }
        return inodes;
    }

    private static CoreSet all() {
        return ControlGroups.allowed(ProcessHandle.current()).orElseThrow();
    }

    private List<Path> groups() {
        List<String> names = containers.stream()
                .map(container -> container.getId().toString())
                .toList();
        return ControlGroups.of(names::contains);
    }

    /** Returns the cores of the process of each container that runs. */
    private List<CoreSet> cores() throws IOException {
        List<CoreSet> cores = new ArrayList<>();
        for (Container container : containers) {
            String pid = Files.readString(pidFile(container)).strip();
            Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(pid));
            process.flatMap(ControlGroups::allowed).ifPresent(cores::add);
        }
        return cores;
    }

    private Path pidFile(Container container) {
        return directory.resolve(container.getId() + ".pid");
    }
}
