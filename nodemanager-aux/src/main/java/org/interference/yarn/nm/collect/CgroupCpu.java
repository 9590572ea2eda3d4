package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.interference.yarn.nm.attribute.ContainerCgroup;
import org.interference.yarn.nm.attribute.Fields;

/**
 * What the kernel has counted of the CPU for the group that YARN made for a container: one small file, whatever the number of threads, in
 * which those are that ended between two looks.
 */
final class CgroupCpu {
    private static final String USAGE = "usage_usec ";
    private static final long NANOS_PER_MICRO = 1000;

    private final ProcFiles files;

    CgroupCpu(ProcFiles files) {
        this.files = files;
    }

    /** Returns the ns on a CPU of all processes that were ever in the group; empty where there is no such group or count. */
    OptionalLong nanos(WatchedContainer container, String mountInfo) throws IOException {
        Optional<String> cgroups = files.cgroups(container.rootPid());
        if (cgroups.isEmpty() || !cgroups.get().contains(container.id())) {
            return OptionalLong.empty();
        }
        String counting = cgroups.get().lines().filter(CgroupCpu::counts).collect(Collectors.joining("\n"));
        Optional<Path> group =
                ContainerCgroup.directory(container.id(), counting, mountInfo).map(Path::of);
        if (group.isEmpty()) {
            return OptionalLong.empty();
        }
        Optional<String> version1 = files.small(group.get().resolve("cpuacct.usage"));
        if (version1.isPresent()) {
            return number(version1.get(), 1);
        }
        return files.small(group.get().resolve("cpu.stat")).stream()
                .flatMap(String::lines)
                .filter(line -> line.startsWith(USAGE))
                .findFirst()
                .map(line -> number(line.substring(USAGE.length()), NANOS_PER_MICRO))
                .orElse(OptionalLong.empty());
    }

    /** Version 2 counts in every group; version 1 where cpuacct is. */
    private static boolean counts(String line) {
        String[] parts = line.split(":", 3);
        return parts.length == 3
                && (parts[1].isEmpty() || List.of(parts[1].split(",", -1)).contains("cpuacct"));
    }

    private static OptionalLong number(String text, long unit) {
        long number = Fields.number(text, 0, 0);
        return number < 0 ? OptionalLong.empty() : OptionalLong.of(number * unit);
    }
}
