package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.control.Change;
import org.interference.yarn.nm.control.CoreSet;

/**
 * Tries node control on a kernel with cgroup version 2 alone, two CPUs and a disk, as root; {@code bin/test-kernels} boots some. Says what
 * holds, line by line, and fails if anything does not.
 */
final class UnifiedControlMain {
    private static final Path ROOT = Path.of("/sys/fs/cgroup");
    private static final String YARNS = "container_1_0001_01_000002";
    private static final String SERVICES = "container_1_0001_01_000003";
    private static final KernelFiles FILES = new KernelFiles();
    private static final ProcFiles PROC = new ProcFiles(Path.of("/proc"), Path.of("/sys"));

    private final Path journal;
    private final String disk;
    private final List<Process> processes = new ArrayList<>();
    private int failures;

    private UnifiedControlMain(Path journal, String disk) {
        this.journal = journal;
        this.disk = disk;
    }

    /** Usage: {@code UnifiedControlMain JOURNAL MAJOR:MINOR}. */
    public static void main(String[] args) throws IOException {
        UnifiedControlMain main = new UnifiedControlMain(Path.of(args[0]), args[1]);
        try {
            main.yarnsOwnGroup();
            main.aGroupOfOurs();
            main.aServicesLimits();
        } finally {
            main.processes.forEach(Process::destroyForcibly);
        }
        if (main.failures > 0) {
            throw new IllegalStateException(main.failures + " checks failed");
        }
    }

    private void yarnsOwnGroup() throws IOException {
        FILES.write(ROOT.resolve("cgroup.subtree_control"), "+cpu");
        Path group = group("hadoop-yarn/" + YARNS);
        long pid = process(group);
        ContainerGroups groups = open();
        groups.apply(cores(YARNS, "1"), pid);
        check("a container in YARN's group is confined", allowed(pid), "1");
        groups.apply(disk(YARNS), pid);
        check(
                "and limited",
                FILES.read(group.resolve("io.max")).strip(),
                disk + " rbps=1048576 wbps=1048576 riops=max wiops=max");
        groups.apply(new Change.Cores(YARNS, Optional.empty(), "test"), pid);
        check("its cores are given back while it runs", allowed(pid), "0-1");
        groups.apply(cores(YARNS, "1"), pid);
        open().close();
        check("the next start undoes what a killed one left", allowed(pid), "0-1");
        check("and the limit", FILES.read(group.resolve("io.max")).strip(), "");
    }

    private void aGroupOfOurs() throws IOException {
        Path origin = group("service");
        long pid = process(origin);
        Path pinned = group("database");
        ContainerGroups groups = open();
        groups.apply(cores(SERVICES, "0"), pid);
        groups.apply(disk(SERVICES), pid);
        Path ours = ROOT.resolve("interference/control_" + SERVICES);
        check("a second controller is there", Boolean.toString(Files.exists(ours.resolve("io.max"))), "true");
        check("a container without a group gets one", allowed(pid), "0");
        FILES.write(pinned.resolve("cpuset.cpus"), "1");
        groups.apply(new Change.Cores(SERVICES, Optional.empty(), "test"), pid);
        check("its cores are given back while it is limited", allowed(pid), "0-1");
        open().close();
        check("nothing of ours is left", Boolean.toString(Files.exists(ROOT.resolve("interference"))), "false");
        check(
                "the process is where it was",
                FILES.read(origin.resolve("cgroup.procs")).strip(),
                Long.toString(pid));
        check(
                "another service keeps its cores",
                FILES.read(pinned.resolve("cpuset.cpus")).strip(),
                "1");
    }

    private void aServicesLimits() throws IOException {
        FILES.write(ROOT.resolve("cgroup.subtree_control"), "+pids");
        Path service = group("limited");
        long pid = process(service);
        FILES.write(service.resolve("pids.max"), "100");
        ContainerGroups groups = open();
        groups.apply(disk(SERVICES), pid);
        Path ours = ROOT.resolve("interference/control_" + SERVICES);
        check(
                "a service's number of tasks holds in our group",
                FILES.read(ours.resolve("pids.max")).strip(),
                "100");
        groups.apply(new Change.Disk(SERVICES, OptionalLong.empty(), "test"), pid);
        FILES.write(service.resolve("cpuset.cpus"), "0");
        String refusal = "";
        try {
            groups.apply(disk(SERVICES), pid);
        } catch (IOException e) {
            refusal = e.getMessage();
        }
        check(
                "a service's cores are not escaped by a disk limit",
                refusal,
                "moving the container would free it of " + service.resolve("cpuset.cpus"));
        check("and hold", allowed(pid), "0");
        groups.close();
    }

    private ContainerGroups open() throws IOException {
        return ContainerGroups.open(PROC, FILES, journal, List.of(disk));
    }

    private static Change cores(String container, String cores) {
        return new Change.Cores(container, Optional.of(CoreSet.parse(cores)), "test");
    }

    private static Change disk(String container) {
        return new Change.Disk(container, OptionalLong.of(1 << 20), "test");
    }

    private static Path group(String path) throws IOException {
        return Files.createDirectories(ROOT.resolve(path));
    }

    private long process(Path group) throws IOException {
        Process process = new ProcessBuilder("setsid", "sleep", "600").start();
        processes.add(process);
        FILES.write(group.resolve("cgroup.procs"), Long.toString(process.pid()));
        return process.pid();
    }

    private static String allowed(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> line.split("\\s+", 2)[1].strip())
                .findFirst()
                .orElse("");
    }

    private void check(String what, String found, String expected) {
        boolean holds = found.equals(expected);
        failures += holds ? 0 : 1;
        System.out.println((holds ? "ok: " : "FAILED: ") + what + (holds ? "" : ": " + found + ", not " + expected));
    }
}
