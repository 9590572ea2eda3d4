package org.interference.yarn.nm.cgroup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.control.Change;
import org.interference.yarn.nm.control.CoreSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Confines real process trees with this machine's cgroups of version 1; needs root, and says so where it is skipped. */
@EnabledOnOs(OS.LINUX)
class RealControlGroupTest {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final Path CPUSET = Path.of("/sys/fs/cgroup/cpuset");
    private static final String CONTAINER =
            "container_" + ProcessHandle.current().pid() + "_0001_01_000002";
    private static final ProcFiles PROC = new ProcFiles(Path.of("/proc"), Path.of("/sys"));

    @TempDir
    private Path directory;

    private Process container;
    private String allCores;

    /** Two levels of children, and one that forks all the time. */
    @BeforeEach
    void launch() throws IOException {
        boolean possible = Files.isWritable(CPUSET.resolve("cgroup.procs"))
                && Files.isWritable(Path.of("/proc/1/oom_score_adj"))
                && Runtime.getRuntime().availableProcessors() > 1;
        assumeTrue(possible, "NOT TESTED: needs root, cgroup version 1 with cpuset, and two CPUs");
        allCores = allowed(ProcessHandle.current().pid());
        container = new ProcessBuilder(
                        "setsid", "sh", "-c", "sh -c 'sleep 600 & wait' & while :; do sleep 0.02 & wait $!; done")
                .start();
        until("the tree to be there", () -> tree().size() >= 3);
    }

    @AfterEach
    void end() throws Exception {
        if (container != null) {
            killContainer();
        }
        if (possible()) {
            groups().close();
        }
    }

    private boolean possible() {
        return container != null;
    }

    @Test
    void theWholeTreeIsConfinedWithItsLaterChildrenAndGivenBack() throws Exception {
        String core = Integer.toString(CoreSet.parse(allCores).cores().last());
        ContainerGroups groups = groups();

        groups.apply(new Change.Cores(CONTAINER, Optional.of(CoreSet.parse(core)), "test"), container.pid());

        for (int look = 0; look < 20; look++) {
            assertThat(allowedOfTree()).containsOnly(core);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        groups.close();
        assertThat(allowedOfTree()).containsOnly(allCores);
        assertThat(leftBehind()).isEmpty();
    }

    @Test
    void diskLimitsAreInForceAndGoAway() throws Exception {
        List<String> disks = Disks.under(List.of(directory), Path.of("/sys"));
        assumeTrue(
                !disks.isEmpty() && Files.exists(Path.of("/sys/fs/cgroup/blkio")), "NOT TESTED: no disk, or no blkio");
        ContainerGroups groups = ContainerGroups.open(PROC, new KernelFiles(), journal(), disks);

        groups.apply(new Change.Disk(CONTAINER, OptionalLong.of(5_000_000), "test"), container.pid());

        Path group = groupOf("blkio");
        assertThat(Files.readString(group.resolve("blkio.throttle.write_bps_device")))
                .contains(disks.get(0) + " 5000000");
        groups.close();
        assertThat(group).doesNotExist();
    }

    @Test
    void aContainerKilledMeanwhileLeavesNothing() throws Exception {
        ContainerGroups groups = groups();
        groups.apply(new Change.Cores(CONTAINER, Optional.of(CoreSet.parse("0")), "test"), container.pid());
        killContainer();
        until("its processes to be gone", () -> tree().isEmpty());

        groups.retain(Set.of());

        assertThat(leftBehind()).isEmpty();
        groups.close();
    }

    @Test
    void aKilledControllersTracesGoAtTheNextStart() throws Exception {
        Process controller = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ConfiningMain.class.getName(),
                        journal().toString(),
                        CONTAINER,
                        Long.toString(container.pid()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = controller.inputReader()) {
            assertThat(output.readLine()).isEqualTo("confined");
        }
        controller.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        assertThat(leftBehind()).isNotEmpty();

        groups();

        assertThat(leftBehind()).isEmpty();
        assertThat(allowedOfTree()).containsOnly(allCores);
        assertThat(Files.size(journal())).isZero();
    }

    private ContainerGroups groups() throws IOException {
        return ContainerGroups.open(PROC, new KernelFiles(), journal(), List.of());
    }

    private Path journal() {
        return directory.resolve("journal");
    }

    private void killContainer() throws InterruptedException {
        container.descendants().forEach(ProcessHandle::destroyForcibly);
        container.destroyForcibly();
        container.waitFor(10, TimeUnit.SECONDS);
        container.descendants().forEach(ProcessHandle::destroyForcibly);
    }

    private Path groupOf(String controller) throws IOException {
        String line = Files.readAllLines(Path.of("/proc/" + container.pid() + "/cgroup")).stream()
                .filter(one -> one.contains(":" + controller + ":"))
                .findFirst()
                .orElseThrow();
        return Path.of("/sys/fs/cgroup/" + controller + line.split(":", 3)[2]);
    }

    private List<Long> tree() {
        List<Long> pids = new ArrayList<>();
        pids.add(container.pid());
        container.descendants().forEach(child -> pids.add(child.pid()));
        return pids.stream().filter(pid -> !allowed(pid).isEmpty()).toList();
    }

    private List<String> allowedOfTree() {
        return tree().stream()
                .map(RealControlGroupTest::allowed)
                .filter(list -> !list.isEmpty())
                .toList();
    }

    /** Empty for a process that has just ended, or has not begun: it can be seen before the kernel has set its own. */
    private static String allowed(long pid) {
        try {
            Map<String, String> status = new HashMap<>();
            for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
                String[] parts = line.split(":\\s+", 2);
                status.put(parts[0], parts[parts.length - 1].strip());
            }
            boolean begun = !status.getOrDefault("voluntary_ctxt_switches", "0").equals("0")
                    || !status.getOrDefault("nonvoluntary_ctxt_switches", "0").equals("0");
            return begun ? status.getOrDefault("Cpus_allowed_list", "") : "";
        } catch (IOException e) {
            return "";
        }
    }

    private static List<Path> leftBehind() throws IOException {
        try (Stream<Path> all = Files.walk(CPUSET)) {
            return all.filter(path -> path.endsWith("control_" + CONTAINER)).toList();
        }
    }

    private interface Condition {
        boolean holds();
    }

    private static void until(String what, Condition condition) {
        long start = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - start > DEADLINE.toNanos()) {
                fail("waited in vain for " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }
}
