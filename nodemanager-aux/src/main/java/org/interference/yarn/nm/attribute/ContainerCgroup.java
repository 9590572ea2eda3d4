package org.interference.yarn.nm.attribute;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the cgroup that YARN made for a container, in version 1, version 2 and mixed hierarchies. */
public final class ContainerCgroup {
    private ContainerCgroup() {}

    /** What stands for the controllers of version 2, which are all in one hierarchy. */
    public static final String UNIFIED = "";

    /**
     * Returns the directory of the cgroup that is named after {@code container}; empty if the container has none.
     *
     * @param cgroups the text of {@code /proc/PID/cgroup} of a process of the container
     * @param mountInfo the text of {@code /proc/self/mountinfo}
     */
    public static Optional<String> directory(String container, String cgroups, String mountInfo) {
        return cgroups.contains(container)
                ? directories(container, cgroups, CgroupMount.all(mountInfo)).values().stream()
                        .findFirst()
                : Optional.empty();
    }

    /**
     * Returns the directories of all cgroups that are named after {@code container}, in their order, by controller; that of version 2
     * by {@link #UNIFIED}.
     *
     * @param cgroups the text of {@code /proc/PID/cgroup} of a process of the container
     */
    public static Map<String, String> directories(String container, String cgroups, List<CgroupMount> mounts) {
        Map<String, String> directories = new LinkedHashMap<>();
        for (String line : cgroups.lines().toList()) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3) {
                upTo(container, parts[2])
                        .flatMap(path -> mounts.stream()
                                .filter(mount -> mount.holds(parts[1]))
                                .map(mount -> mount.directory(path))
                                .findFirst())
                        .ifPresent(directory -> List.of(parts[1].split(",", -1))
                                .forEach(controller -> directories.putIfAbsent(controller, directory)));
            }
        }
        return directories;
    }

    /** Cuts {@code path} after the component {@code container}: a runtime such as Docker nests its own cgroup below. */
    private static Optional<String> upTo(String container, String path) {
        String delimited = path + "/";
        int start = delimited.indexOf("/" + container + "/");
        return start < 0 ? Optional.empty() : Optional.of(path.substring(0, start + 1 + container.length()));
    }
}
