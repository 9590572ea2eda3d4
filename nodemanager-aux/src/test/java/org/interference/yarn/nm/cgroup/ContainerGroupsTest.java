package org.interference.yarn.nm.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.control.Change;
import org.interference.yarn.nm.control.CoreSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerGroupsTest {
    private static final String CONTAINER = "container_1_0001_01_000002";
    private static final long ROOT = 100;
    private static final long CHILD = 101;
    private static final String DISK = "8:0";
    private static final String YARNS = "/cg/v2/hadoop-yarn/";
    private static final String OURS = "/cg/v2/interference/control_" + CONTAINER;

    @TempDir
    private Path directory;

    private final FakeControlFiles files = new FakeControlFiles();

    @BeforeEach
    void twoProcesses() throws IOException {
        process(ROOT, 1);
        process(CHILD, ROOT);
    }

    @Test
    void version1ConfinesTheWholeTreeBelowItsOrigin() throws IOException {
        version1("/node");

        try (ContainerGroups groups = open()) {
            groups.apply(cores("1"), ROOT);

            String group = "/cg/cpuset/node/interference/control_" + CONTAINER;
            assertThat(files.processesOf(group)).containsExactly("100", "101");
            assertThat(files.read(Path.of(group, "cpuset.cpus"))).isEqualTo("1");
        }
    }

    @Test
    void closingLeavesTheNodeAsItWas() throws IOException {
        version1("/node");
        Map<Path, Map<String, String>> before = files.snapshot();

        ContainerGroups groups = open();
        groups.apply(cores("1"), ROOT);
        groups.apply(disk(5_000_000), ROOT);
        groups.close();

        assertThat(files.snapshot()).isEqualTo(before);
    }

    @Test
    void theNextStartUndoesWhatAKilledOneLeft() throws IOException {
        version1("/");
        Map<Path, Map<String, String>> before = files.snapshot();
        open().apply(cores("0"), ROOT);

        open();

        assertThat(files.snapshot()).isEqualTo(before);
        assertThat(Files.size(journal())).isZero();
    }

    /** As of one that forks faster than it is moved. */
    @Test
    void groupsOfAContainerThatCannotBeMovedAreRemovedWithItAtTheNextStart() throws IOException {
        version1("/node");
        Map<Path, Map<String, String>> before = files.snapshot();
        List<String> targets = List.of("/cg/cpuset/node/cgroup.procs", "/cg/cpuset/cgroup.procs");
        ContainerGroups groups = open();
        groups.apply(cores("1"), ROOT);
        targets.forEach(files::refuse);
        assertThatThrownBy(groups::close).isInstanceOf(IOException.class);

        targets.forEach(files::accept);
        open();

        assertThat(files.snapshot()).isEqualTo(before);
        assertThat(Files.size(journal())).isZero();
    }

    @Test
    void aContainerThatHasEndedLeavesNothing() throws IOException {
        version1("/");
        try (ContainerGroups groups = open()) {
            groups.apply(cores("1"), ROOT);
            groups.apply(disk(5_000_000), ROOT);
            files.end(ROOT);
            files.end(CHILD);

            groups.retain(Set.of());

            assertThat(files.below(Path.of("/cg/cpuset/interference"))).isEmpty();
            assertThat(files.below(Path.of("/cg/blkio/interference"))).isEmpty();
        }
    }

    @Test
    void coresGivenBackMoveTheProcessesToTheirOrigin() throws IOException {
        version1("/node");
        try (ContainerGroups groups = open()) {
            groups.apply(cores("1"), ROOT);

            groups.apply(new Change.Cores(CONTAINER, Optional.empty(), "test"), ROOT);

            assertThat(files.processesOf("/cg/cpuset/node")).containsExactly("100", "101");
            assertThat(files.below(Path.of("/cg/cpuset/node/interference"))).isEmpty();
        }
    }

    /** Whoever is forked while its parent is moved to the root keeps the cores that the parent had. */
    @ParameterizedTest
    @CsvSource({"1, /cg/cpuset/interference/control_, 0-1", "2, /cg/v2/interference/control_, 0-3"})
    void coresAreGivenBackBeforeTheProcessesMove(int version, String group, String all) throws IOException {
        if (version == 1) {
            version1("/");
        } else {
            aService();
        }
        List<String> whenMoved = new ArrayList<>();
        try (ContainerGroups groups = open()) {
            groups.apply(cores("1"), ROOT);
            files.onMove(pid -> whenMoved.add(coresOf(group + CONTAINER)));

            groups.apply(new Change.Cores(CONTAINER, Optional.empty(), "test"), ROOT);
        }

        assertThat(whenMoved).containsExactly(all, all);
    }

    private String coresOf(String group) {
        try {
            return files.read(Path.of(group, "cpuset.cpus"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void whatIsLeftOfAnEndedOriginGoesToWhoIsAbove() throws IOException {
        version1("/node");
        ContainerGroups groups = open();
        groups.apply(cores("1"), ROOT);
        new Undoing(files)
                .undo(new Undo.Made(
                        Path.of("/cg/cpuset/node/interference/control_" + CONTAINER),
                        Path.of("/cg/cpuset/node/hadoop-yarn/gone")));

        assertThat(files.processesOf("/cg/cpuset/node")).containsExactly("100", "101");
        groups.close();
    }

    @Test
    void version1LimitsReadsAndWritesOfEachDisk() throws IOException {
        version1("/");
        try (ContainerGroups groups = open()) {
            groups.apply(disk(5_000_000), ROOT);
            groups.apply(disk(7_000_000), ROOT);

            Path group = Path.of("/cg/blkio/interference/control_" + CONTAINER);
            assertThat(files.read(group.resolve("blkio.throttle.read_bps_device")))
                    .isEqualTo("8:0 7000000");
            assertThat(files.read(group.resolve("blkio.throttle.write_bps_device")))
                    .isEqualTo("8:0 7000000");
        }
    }

    @Test
    void yarnsOwnGroupIsWrittenInPlaceAndWrittenBack() throws IOException {
        yarnsGroups(CONTAINER);

        ContainerGroups groups = open();
        groups.apply(cores("0-1"), ROOT);
        groups.apply(disk(1_000_000), ROOT);
        Path group = Path.of(YARNS + CONTAINER);
        assertThat(files.read(group.resolve("cpuset.cpus"))).isEqualTo("0-1");
        assertThat(files.read(group.resolve("io.max"))).isEqualTo("8:0 rbps=1000000 wbps=1000000");
        assertThat(files.read(group.resolve("cpu.max"))).isEqualTo("50000 100000");
        groups.close();

        assertThat(files.allowed("/cg/v2", ROOT)).isEqualTo("0-3");
        assertThat(files.read(group.resolve("io.max"))).isEmpty();
        assertThat(files.read(group.resolve("cpu.max"))).isEqualTo("50000 100000");
        assertThat(Files.size(journal())).isZero();
    }

    @Test
    void coresOfYarnsOwnGroupAreGivenBackWhileItRuns() throws IOException {
        yarnsGroups(CONTAINER);
        try (ContainerGroups groups = open()) {
            groups.apply(cores("1"), ROOT);
            assertThat(files.allowed("/cg/v2", ROOT)).isEqualTo("1");

            groups.apply(new Change.Cores(CONTAINER, Optional.empty(), "test"), ROOT);

            assertThat(files.allowed("/cg/v2", ROOT)).isEqualTo("0-3");
        }
    }

    @Test
    void whatCannotBeUndoneKeepsNothingElseFromItAndIsTriedAgain() throws IOException {
        String other = "container_1_0001_01_000003";
        yarnsGroups(CONTAINER, other);
        ContainerGroups killed = open();
        killed.apply(cores("1"), ROOT);
        write("200/stat", "200 (sh) S 1 1 200 0 -1 1 2 3 4 5 6 7 8 9 20 0 1 0 77 23 24\n");
        write("200/cgroup", "0::/hadoop-yarn/" + other + "\n");
        files.process(YARNS + other, 200);
        killed.apply(new Change.Cores(other, Optional.of(CoreSet.parse("2")), "test"), 200);
        String stuck = YARNS + other + "/cpuset.cpus";
        files.refuse(stuck);

        ContainerGroups next = open();

        assertThat(files.allowed("/cg/v2", ROOT)).isEqualTo("0-3");
        assertThat(next.leftovers()).containsExactly(Path.of(stuck));
        assertThatThrownBy(() -> next.retain(Set.of(CONTAINER, other))).hasMessageContaining("denied");
        files.accept(stuck);
        next.retain(Set.of(CONTAINER, other));
        assertThat(next.leftovers()).isEmpty();
        assertThat(files.allowed("/cg/v2", 200)).isEqualTo("0-3");
        next.close();
    }

    @Test
    void version2GivesAContainerWithoutAGroupOneOfOurs() throws IOException {
        aService();

        ContainerGroups groups = open();
        groups.apply(cores("1"), ROOT);
        groups.apply(disk(1_000_000), ROOT);
        String group = "/cg/v2/interference/control_" + CONTAINER;
        assertThat(files.processesOf(group)).containsExactly("100", "101");
        assertThat(files.allowed("/cg/v2", CHILD)).isEqualTo("1");
        assertThat(files.read(Path.of(group, "io.max"))).isEqualTo("8:0 rbps=1000000 wbps=1000000");

        groups.apply(new Change.Cores(CONTAINER, Optional.empty(), "test"), ROOT);
        assertThat(files.allowed("/cg/v2", CHILD)).isEqualTo("0-3");
        assertThat(files.read(Path.of(group, "io.max"))).isEqualTo("8:0 rbps=1000000 wbps=1000000");
        groups.close();

        assertThat(files.processesOf("/cg/v2/system.slice/nodemanager")).containsExactly("100", "101");
        assertThat(files.below(Path.of("/cg/v2/interference"))).isEmpty();
        assertThat(files.exists(Path.of("/cg/v2/interference"))).isFalse();
    }

    /** Whoever set the other service's cores relies on the controller that we enabled, or thinks that he did. */
    @Test
    void undoingTakesNothingFromOthers() throws IOException {
        aService();
        files.group("/cg/v2/system.slice/database", "cgroup.subtree_control", "");
        ContainerGroups killed = open();
        killed.apply(cores("1"), ROOT);
        files.write(Path.of("/cg/v2/system.slice/cgroup.subtree_control"), "+cpuset");
        files.write(Path.of("/cg/v2/system.slice/database/cpuset.cpus"), "1");
        files.write(Path.of("/cg/v2/system.slice/cpuset.cpus"), "0-1");

        open().close();

        assertThat(files.read(Path.of("/cg/v2/system.slice/cpuset.cpus"))).isEqualTo("0-1");
        assertThat(files.read(Path.of("/cg/v2/system.slice/database/cpuset.cpus")))
                .isEqualTo("1");
    }

    /** Version 2 takes no process into a group with controllers below it, as the one above a service's that is gone. */
    @Test
    void whoseOriginIsGoneGoesToWhoeverTakesHim() throws IOException {
        aService();
        ContainerGroups groups = open();
        groups.apply(cores("1"), ROOT);
        files.remove(Path.of("/cg/v2/system.slice/nodemanager"));

        groups.close();

        assertThat(files.processesOf("/cg/v2")).containsExactly("100", "101");
        assertThat(files.exists(Path.of("/cg/v2/interference"))).isFalse();
    }

    /** Version 2 has no room for our group below a service's, and outside its limits would not hold. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "cpu.max, 50000 100000",
        "cpuset.cpus, 0-2",
        "cpuset.mems, 0",
        "memory.max, 4294967296",
        "memory.high, 4294967296",
        "memory.swap.max, 0",
        "io.max, 8:0 rbps=1048576 wbps=max"
    })
    void aServicesLimitIsNotEscaped(String file, String limit) throws IOException {
        aService();
        files.group("/cg/v2/system.slice/nodemanager", "cgroup.subtree_control", "", file, limit + "\n")
                .process("/cg/v2/system.slice/nodemanager", ROOT, CHILD);

        try (ContainerGroups groups = open()) {
            assertThatThrownBy(() -> groups.apply(disk(1_000_000), ROOT))
                    .hasMessageContaining("/cg/v2/system.slice/nodemanager/" + file);
        }
        assertThat(files.processesOf("/cg/v2/system.slice/nodemanager")).containsExactly("100", "101");
    }

    @Test
    void whatIsUnlimitedKeepsNobodyInHisService() throws IOException {
        aService();
        files.group(
                        "/cg/v2/system.slice/nodemanager",
                        "cgroup.subtree_control",
                        "",
                        "cpuset.cpus",
                        "\n",
                        "cpuset.mems",
                        "\n",
                        "memory.swap.max",
                        "max\n")
                .process("/cg/v2/system.slice/nodemanager", ROOT, CHILD);

        try (ContainerGroups groups = open()) {
            groups.apply(disk(1_000_000), ROOT);

            assertThat(files.processesOf(OURS)).containsExactly("100", "101");
        }
    }

    /** systemd limits the tasks of every service, so that refusing would refuse all; who forks without end must still meet it. */
    @Test
    void theSmallestNumberOfTasksFromAboveHoldsInAGroupOfOurs() throws IOException {
        aServiceOfLimitedTasks();

        try (ContainerGroups groups = open()) {
            groups.apply(disk(1_000_000), ROOT);
            groups.apply(cores("1"), ROOT);

            assertThat(files.processesOf(OURS)).containsExactly("100", "101");
            assertThat(files.read(Path.of(OURS, "pids.max"))).isEqualTo("900");
        }
        assertThat(files.exists(Path.of(OURS).getParent())).isFalse();
    }

    @Test
    void whereTheNumberOfTasksCannotBeLimitedNobodyIsMoved() throws IOException {
        aServiceOfLimitedTasks();
        files.refuse(OURS + "/pids.max");

        try (ContainerGroups groups = open()) {
            assertThatThrownBy(() -> groups.apply(disk(1_000_000), ROOT)).hasMessageContaining("pids.max");

            assertThat(files.processesOf("/cg/v2/system.slice/nodemanager")).containsExactly("100", "101");
        }
    }

    @Test
    void whereTasksAreUnlimitedTheyStaySo() throws IOException {
        aService();
        files.group("/cg/v2/system.slice/nodemanager", "cgroup.subtree_control", "", "pids.max", "max\n")
                .process("/cg/v2/system.slice/nodemanager", ROOT, CHILD);

        try (ContainerGroups groups = open()) {
            groups.apply(disk(1_000_000), ROOT);

            assertThat(files.exists(Path.of(OURS, "pids.max"))).isFalse();
        }
    }

    @Test
    void aRefusedWriteIsTakenBackByRelease() throws IOException {
        version1("/");
        Map<Path, Map<String, String>> before = files.snapshot();
        try (ContainerGroups groups = open()) {
            groups.apply(cores("1"), ROOT);
            files.refuse("/cg/blkio/interference/control_" + CONTAINER + "/blkio.throttle.write_bps_device");
            assertThatThrownBy(() -> groups.apply(disk(1_000_000), ROOT)).hasMessageContaining("denied");

            groups.release(CONTAINER);

            assertThat(files.processesOf("/cg/cpuset")).containsExactly("100", "101");
        }
        assertThat(files.snapshot()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDiskThatDropsOffTheBusCostsNobodyWhatHoldsForTheOthers(boolean unified) throws IOException {
        if (unified) {
            yarnsGroups(CONTAINER);
        } else {
            version1("/");
        }
        ContainerGroups groups = open(DISK, "8:16");
        groups.apply(cores("1"), ROOT);
        groups.apply(disk(5_000_000), ROOT);
        files.pull(DISK);

        groups.apply(disk(7_000_000), ROOT);

        Path limits = unified
                ? Path.of(YARNS + CONTAINER, "io.max")
                : Path.of("/cg/blkio/interference/control_" + CONTAINER, "blkio.throttle.write_bps_device");
        assertThat(files.read(limits)).contains("8:16").contains("7000000");
        groups.apply(new Change.Disk(CONTAINER, OptionalLong.empty(), "test"), ROOT);
        groups.close();
        assertThat(groups.leftovers()).isEmpty();
        assertThat(Files.size(journal())).isZero();
    }

    @Test
    void aDiskThatIsThereAndRefusesIsSaid() throws IOException {
        yarnsGroups(CONTAINER);
        ContainerGroups groups = open();
        groups.apply(disk(5_000_000), ROOT);
        files.refuse(YARNS + CONTAINER + "/io.max");

        assertThatThrownBy(groups::close).hasMessageContaining("denied");
    }

    @Test
    void aMissingControllerIsSaid() throws IOException {
        write("self/mountinfo", "");

        try (ContainerGroups groups = open()) {
            assertThatThrownBy(() -> groups.apply(cores("1"), ROOT)).hasMessageContaining("cpuset");
            assertThatThrownBy(() -> groups.apply(disk(1), ROOT)).hasMessageContaining("block I/O");
        }
    }

    private static Change cores(String list) {
        return new Change.Cores(CONTAINER, Optional.of(CoreSet.parse(list)), "test");
    }

    private static Change disk(long bytesPerSecond) {
        return new Change.Disk(CONTAINER, OptionalLong.of(bytesPerSecond), "test");
    }

    private ContainerGroups open() throws IOException {
        return open(DISK);
    }

    private ContainerGroups open(String... disks) throws IOException {
        ProcFiles proc = new ProcFiles(directory, directory);
        return ContainerGroups.open(proc, files, journal(), List.of(disks));
    }

    private Path journal() {
        return directory.resolve("journal");
    }

    private void version1(String origin) throws IOException {
        write("self/mountinfo", """
                34 31 0:31 / /cg/cpuset rw,relatime - cgroup cgroup rw,cpuset
                39 31 0:36 / /cg/blkio rw,relatime - cgroup cgroup rw,blkio
                """);
        String cgroups = "5:blkio:%1$s\n2:cpuset:%1$s\n".formatted(origin);
        write(ROOT + "/cgroup", cgroups);
        write(CHILD + "/cgroup", cgroups);
        files.group("/cg/cpuset", "cpuset.cpus", "0-1", "cpuset.mems", "0");
        files.group("/cg/blkio", "blkio.throttle.read_bps_device", "", "blkio.throttle.write_bps_device", "");
        String below = origin.equals("/") ? "" : origin;
        if (!below.isEmpty()) {
            files.group("/cg/cpuset" + below, "cpuset.cpus", "0-1", "cpuset.mems", "0");
            files.group(
                    "/cg/blkio" + below, "blkio.throttle.read_bps_device", "", "blkio.throttle.write_bps_device", "");
        }
        files.process("/cg/cpuset" + below, ROOT, CHILD).process("/cg/blkio" + below, ROOT, CHILD);
        files.onMove(pid -> write(
                pid + "/cgroup",
                "5:blkio:%s\n2:cpuset:%s\n"
                        .formatted(files.groupOf("/cg/blkio", pid), files.groupOf("/cg/cpuset", pid))));
    }

    private void version2(String origin) throws IOException {
        write("self/mountinfo", "35 24 0:30 / /cg/v2 rw shared:4 - cgroup2 cgroup2 rw\n");
        write(ROOT + "/cgroup", "0::" + origin + "\n");
        write(CHILD + "/cgroup", "0::" + origin + "\n");
        files.group("/cg/v2", "cgroup.controllers", "cpuset cpu io memory\n", "cgroup.subtree_control", "cpu memory");
    }

    /** YARN has made a group for each of {@code containers}, of which the first has the two processes. */
    private void yarnsGroups(String... containers) throws IOException {
        version2("/hadoop-yarn/" + containers[0]);
        files.group("/cg/v2/hadoop-yarn", "cgroup.subtree_control", "cpu memory", "cpu.max", "max 100000");
        for (String container : containers) {
            files.group(YARNS + container, "cgroup.subtree_control", "", "cpu.max", "50000 100000");
        }
        files.process(YARNS + containers[0], ROOT, CHILD);
    }

    /** The NodeManager and its containers are one service's. */
    private void aService() throws IOException {
        version2("/system.slice/nodemanager");
        files.group("/cg/v2/system.slice", "cgroup.subtree_control", "cpu", "cpu.max", "max 100000");
        files.group("/cg/v2/system.slice/nodemanager", "cgroup.subtree_control", "", "cpu.max", "max 100000");
        files.process("/cg/v2/system.slice/nodemanager", ROOT, CHILD);
        files.onMove(pid -> write(pid + "/cgroup", "0::" + files.groupOf("/cg/v2", pid) + "\n"));
    }

    /** As systemd's {@code TasksMax=} limits a slice and a service in it. */
    private void aServiceOfLimitedTasks() throws IOException {
        aService();
        files.group(
                        "/cg/v2",
                        "cgroup.controllers",
                        "cpuset cpu io memory pids\n",
                        "cgroup.subtree_control",
                        "cpu memory pids")
                .group("/cg/v2/system.slice", "cgroup.subtree_control", "cpu pids", "pids.max", "900\n")
                .group("/cg/v2/system.slice/nodemanager", "cgroup.subtree_control", "", "pids.max", "18867\n")
                .process("/cg/v2/system.slice/nodemanager", ROOT, CHILD);
    }

    private void process(long pid, long parent) throws IOException {
        write(
                pid + "/stat",
                "%d (sh) S %d 1 %d 0 -1 1 2 3 4 5 6 7 8 9 20 0 1 0 77 23 24\n".formatted(pid, parent, ROOT));
        Files.createDirectories(directory.resolve(pid + "/task/" + pid));
    }

    private void write(String file, String text) {
        try {
            Path path = directory.resolve(file);
            Files.createDirectories(path.getParent());
            Files.writeString(path, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
