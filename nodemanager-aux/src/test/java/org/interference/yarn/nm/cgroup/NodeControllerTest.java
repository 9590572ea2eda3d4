package org.interference.yarn.nm.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.interference.yarn.nm.collect.ListedContainer;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.collect.Sampled;
import org.interference.yarn.nm.control.BlockedClassifier;
import org.interference.yarn.nm.control.Change;
import org.interference.yarn.nm.control.ControlSettings;
import org.interference.yarn.nm.control.Controller;
import org.interference.yarn.nm.control.CoreAllocator;
import org.interference.yarn.nm.control.CoreSet;
import org.interference.yarn.nm.control.CoreSharing;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeControllerTest {
    private static final String WRITER = "container_1_0001_01_000002";
    private static final String SORT = "container_1_0001_01_000003";
    private static final String WRITERS_GROUP = "/cg/cpuset/interference/control_" + WRITER;

    @TempDir
    private Path directory;

    private final FakeControlFiles files = new FakeControlFiles();
    private final List<ListedContainer> listed = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private Optional<NodeReport> report = Optional.empty();
    private Instant now = Instant.EPOCH;
    private boolean broken;
    /** How much of the node's CPUs the other container takes. */
    private double others = 1;

    @BeforeEach
    void twoContainers() throws IOException {
        write("self/status", "Cpus_allowed_list:\t0-3\n");
        write("devices/system/cpu/online", "0-3\n");
        write("self/mountinfo", "34 31 0:31 / /cg/cpuset rw,relatime - cgroup cgroup rw,cpuset\n");
        files.group("/cg/cpuset", "cpuset.cpus", "0-3", "cpuset.mems", "0").process("/cg/cpuset", 100, 200);
        process(WRITER, 100);
        process(SORT, 200);
    }

    @Test
    void theWriterIsConfinedAndItsReportSaysSo() throws IOException {
        try (NodeController controller = controller(true)) {
            tick(controller, 3);

            assertThat(files.processesOf(WRITERS_GROUP)).containsExactly("100");
            assertThat(controller.statuses().get(WRITER).cores()).isEqualTo("0");
            assertThat(failures).isEmpty();
        }
        assertThat(files.processesOf("/cg/cpuset")).containsExactly("100", "200");
    }

    @Test
    void aDryRunSaysTheSameAndChangesNothing() throws IOException {
        Map<Path, Map<String, String>> before = files.snapshot();
        try (NodeController controller = controller(false)) {
            tick(controller, 3);

            assertThat(changes).singleElement().isInstanceOf(Change.Cores.class);
            assertThat(controller.statuses().get(WRITER).cores()).isEqualTo("0");
            assertThat(files.snapshot()).isEqualTo(before);
        }
    }

    @Test
    void aRefusedWriteLeavesTheContainerAlone() throws IOException {
        files.refuse("/cg/cpuset/interference/cpuset.cpus");
        try (NodeController controller = controller(true)) {
            tick(controller, 10);

            assertThat(files.processesOf("/cg/cpuset")).containsExactly("100", "200");
            assertThat(controller.statuses().get(WRITER).reason())
                    .startsWith("given up: ")
                    .contains("denied");
            assertThat(failures).containsExactly("A container is left alone by the node's controller");
        }
    }

    @Test
    void aCoreThatIsPluggedOutIsHandedOutNoMore() throws IOException {
        try (NodeController controller = controller(true)) {
            tick(controller, 3);
            assertThat(controller.statuses().get(WRITER).cores()).isEqualTo("0");

            write("devices/system/cpu/online", "1-3\n");
            tick(controller, 1);

            assertThat(controller.statuses().get(WRITER).cores()).isEqualTo("1");
        }
    }

    @Test
    void whatCannotBeTakenBackIsSaidAndTriedAgain() throws IOException {
        try (NodeController controller = controller(true)) {
            tick(controller, 3);
            assertThat(files.processesOf(WRITERS_GROUP)).containsExactly("100");
            files.refuse("/cg/cpuset/cgroup.procs");
            report = Optional.empty();
            for (int i = 0; i < 5; i++) {
                controller.tick();
            }
            assertThat(failures)
                    .contains("What was changed for a container that is no longer controlled stays until the next try");

            files.accept("/cg/cpuset/cgroup.procs");
            controller.tick();

            assertThat(files.processesOf("/cg/cpuset")).containsExactly("100", "200");
        }
    }

    /** As one of a class that is not there any more, because the jar was replaced. */
    @Test
    void anErrorIsNotedAndTheNextTickWorks() throws IOException {
        try (NodeController controller = controller(true)) {
            tick(controller, 2);
            broken = true;
            controller.tick();
            assertThat(failures).containsExactly("This tick of the node's controller did nothing");

            broken = false;
            tick(controller, 1);
            assertThat(files.processesOf(WRITERS_GROUP)).containsExactly("100");
        }
    }

    @Test
    void coresThatCannotBeGivenBackAreOwed() throws IOException {
        try (NodeController controller = controller(true)) {
            tick(controller, 3);
            files.refuse("/cg/cpuset/cgroup.procs");
            others = 0.0;
            tick(controller, 15);

            assertThat(controller.statuses().get(WRITER).reason()).startsWith("given up: cannot be given back");
            files.accept("/cg/cpuset/cgroup.procs");
            tick(controller, 1);

            assertThat(files.processesOf("/cg/cpuset")).containsExactly("100", "200");
        }
    }

    @Test
    void whatAKilledControllerLeftIsNamedUntilItIsUndone() throws IOException {
        tick(controller(true), 3);
        files.refuse("/cg/cpuset/cgroup.procs");
        try (NodeController next = controller(true)) {
            next.tick();
            assertThat(next.notUndone()).containsExactly(WRITERS_GROUP);
            assertThat(failures).isNotEmpty();

            files.accept("/cg/cpuset/cgroup.procs");
            next.tick();
            next.tick();

            assertThat(next.notUndone()).isEmpty();
            assertThat(files.processesOf("/cg/cpuset")).containsExactly("100", "200");
        }
    }

    /** YARN launches a container again under its id, within one tick. */
    @Test
    void whatIsLaunchedAgainIsConfinedAgain() throws IOException {
        try (NodeController controller = controller(true)) {
            tick(controller, 3);
            listed.removeIf(container -> container.id().equals(WRITER));
            files.end(100);
            files.process("/cg/cpuset", 101);
            process(WRITER, 101);

            tick(controller, 1);
            assertThat(controller.statuses())
                    .as("nothing is said of the new one yet")
                    .containsOnlyKeys(SORT);

            tick(controller, 3);
            assertThat(files.processesOf(WRITERS_GROUP)).containsExactly("101");
            assertThat(failures).isEmpty();
        }
    }

    @Test
    void aContainerThatEndsLeavesNothing() throws IOException {
        try (NodeController controller = controller(true)) {
            tick(controller, 3);
            listed.removeIf(container -> container.id().equals(WRITER));
            files.end(100);

            tick(controller, 1);

            assertThat(files.exists(Path.of(WRITERS_GROUP))).isFalse();
            assertThat(controller.statuses()).containsOnlyKeys(SORT);
        }
    }

    @Test
    void oneFailedSampleChangesNothingAndManyGiveEverythingBack() throws IOException {
        try (NodeController controller = controller(true)) {
            tick(controller, 3);
            report = Optional.empty();
            controller.tick();
            assertThat(files.processesOf(WRITERS_GROUP)).containsExactly("100");

            for (int i = 0; i < 5; i++) {
                controller.tick();
            }

            assertThat(files.processesOf("/cg/cpuset")).containsExactly("100", "200");
        }
    }

    private void tick(NodeController controller, int times) {
        for (int i = 0; i < times; i++) {
            now = now.plusSeconds(3);
            Duration observed = Duration.between(Instant.EPOCH, now);
            report = Optional.of(new NodeReport(
                    1,
                    1,
                    now,
                    List.of(
                            new ContainerReport(WRITER, observed, false, readings(0.01, 0.9)),
                            new ContainerReport(SORT, observed, false, readings(others, 0)))));
            controller.tick();
        }
    }

    private Map<String, Double> cpuSeconds() {
        double seconds = Duration.between(Instant.EPOCH, now).toSeconds();
        return Map.of(WRITER, 0.04 * seconds, SORT, 4 * others * seconds);
    }

    private static Map<Signal, Reading> readings(double cpu, double blocked) {
        return Map.of(
                Signal.CPU, new Reading.Measured(cpu, cpu, cpu, false, "test"),
                Signal.BLKWAIT, new Reading.Measured(blocked, blocked, blocked, false, "test"));
    }

    private NodeController controller(boolean hands) throws IOException {
        ProcFiles proc = new ProcFiles(directory, directory);
        ControlSettings settings = new ControlSettings(
                Duration.ofSeconds(3),
                Duration.ofSeconds(30),
                new BlockedClassifier(0.5),
                Optional.of(new CoreAllocator(1, CoreSharing.SAME_CORE)),
                Optional.empty(),
                OptionalDouble.empty(),
                Duration.ofMinutes(1),
                Duration.ofHours(1));
        Optional<ContainerGroups> groups = hands
                ? Optional.of(ContainerGroups.open(proc, files, directory.resolve("journal"), List.of()))
                : Optional.empty();
        return new NodeController(
                new Controller(settings, CoreSet.parse("0-3")),
                groups,
                () -> {
                    if (broken) {
                        throw new NoClassDefFoundError("gone");
                    }
                    return report.map(newest -> new Sampled(newest, cpuSeconds()));
                },
                () -> listed,
                proc,
                List.of(),
                () -> now,
                new Recorded());
    }

    private final class Recorded implements NodeController.Events {
        @Override
        public void changed(Change change) {
            changes.add(change);
        }

        @Override
        public void remarked(String remark) {}

        @Override
        public void failed(String what, Throwable cause) {
            failures.add(what);
        }
    }

    private void process(String container, long pid) throws IOException {
        listed.add(new ListedContainer(container, OptionalLong.of(pid), Optional.empty()));
        write(pid + "/stat", "%1$d (sh) S 1 %1$d %1$d 0 -1 1 2 3 4 5 6 7 8 9 20 0 1 0 77 23 24\n".formatted(pid));
        write(pid + "/cgroup", "2:cpuset:/\n");
    }

    private void write(String file, String text) throws IOException {
        Path path = directory.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
