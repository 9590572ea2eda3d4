package org.interference.yarn.nm.attribute;

import java.util.List;
import java.util.Optional;

/** Finds the cgroup that YARN made for a container, in version 1, version 2 and mixed hierarchies. */
public final class ContainerCgroup {
    private ContainerCgroup() {}

    /**
     * Returns the directory of the cgroup that is named after {@code container}; empty if the container has none.
     *
     * @param cgroups the text of {@code /proc/PID/cgroup} of a process of the container
     * @param mountInfo the text of {@code /proc/self/mountinfo}
     */
    public static Optional<String> directory(String container, String cgroups, String mountInfo) {
        if (!cgroups.contains(container)) {
            return Optional.empty();
        }
        List<CgroupMount> mounts = CgroupMount.all(mountInfo);
        for (String line : cgroups.lines().toList()) {
            String[] parts = line.split(":", 3);
            if (parts.length < 3) {
                continue;
            }
            Optional<String> directory = upTo(container, parts[2]).flatMap(path -> mounts.stream()
                    .filter(mount -> mount.holds(parts[1]))
                    .map(mount -> mount.directory(path))
                    .findFirst());
            if (directory.isPresent()) {
                return directory;
            }
        }
        return Optional.empty();
    }

    /** Cuts {@code path} after the component {@code container}: a runtime such as Docker nests its own cgroup below. */
    private static Optional<String> upTo(String container, String path) {
        String delimited = path + "/";
        int start = delimited.indexOf("/" + container + "/");
        return start < 0 ? Optional.empty() : Optional.of(path.substring(0, start + 1 + container.length()));
    }
}
