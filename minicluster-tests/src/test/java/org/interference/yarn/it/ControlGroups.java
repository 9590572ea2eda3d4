package org.interference.yarn.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.interference.yarn.nm.control.CoreSet;

/** What node control does to processes, seen from outside: its control groups of version 1, and the cores that the kernel lets a process use. */
final class ControlGroups {
    private static final Path CPUSET = Path.of("/sys/fs/cgroup/cpuset");
    private static final String PREFIX = "control_";

    private ControlGroups() {}

    /** Skips the test, with the reason, where node control cannot give cores. */
    static void assumePossible() {
        boolean possible = Files.isWritable(CPUSET.resolve("cgroup.procs"))
                && Files.isWritable(Path.of("/proc/1/oom_score_adj"))
                && Runtime.getRuntime().availableProcessors() > 1;
        assumeTrue(possible, "NOT TESTED: needs root, cgroup version 1 with cpuset, and two CPUs");
    }

    /** Returns the groups of those containers that {@code wanted} takes by their ids. */
    static List<Path> of(Predicate<String> wanted) {
        List<Path> groups = new ArrayList<>();
        collect(CPUSET.toFile(), wanted, groups);
        return groups;
    }

    private static void collect(File group, Predicate<String> wanted, List<Path> groups) {
        File[] children = group.listFiles(File::isDirectory);
        // Null where it has gone since it was listed.
        if (children == null) {
            return;
        }
        for (File child : children) {
            String name = child.getName();
            if (name.startsWith(PREFIX) && wanted.test(name.substring(PREFIX.length()))) {
                groups.add(child.toPath());
            }
            collect(child, wanted, groups);
        }
    }

    /** Returns the cores that a process may use; empty for one that is gone, or a zombie. */
    static Optional<CoreSet> allowed(ProcessHandle process) {
        try {
            List<String> status = Files.readAllLines(Path.of("/proc/" + process.pid() + "/status"));
            return status.stream().anyMatch(line -> line.startsWith("State:") && line.contains("zombie"))
                    ? Optional.empty()
                    : status.stream()
                            .filter(line -> line.startsWith("Cpus_allowed_list:"))
                            .map(line -> CoreSet.parse(line.split(":", 2)[1]))
                            .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
