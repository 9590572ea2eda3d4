package org.interference.yarn.nm.attribute;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the cgroup that YARN made for a container, in version 1, version 2 and mixed hierarchies. */
public final class ContainerCgroup {
    private static final int MOUNT_ROOT = 3;
    private static final int MOUNT_POINT = 4;

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
        List<Mount> mounts = mounts(mountInfo);
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

    private static List<Mount> mounts(String mountInfo) {
        List<Mount> mounts = new ArrayList<>();
        for (String line : mountInfo.lines().toList()) {
            String[] halves = line.split(" - ", 2);
            String[] left = halves[0].split(" ", -1);
            String[] right = halves.length < 2 ? new String[0] : halves[1].split(" ", -1);
            if (left.length > MOUNT_POINT && right.length >= 3 && right[0].startsWith("cgroup")) {
                mounts.add(new Mount(
                        right[0].equals("cgroup2"),
                        List.of(right[2].split(",", -1)),
                        left[MOUNT_ROOT],
                        left[MOUNT_POINT].replace("\\040", " ")));
            }
        }
        return mounts;
    }

    private record Mount(boolean unified, List<String> options, String root, String point) {
        /** The line of the version 2 hierarchy names no controllers. */
        boolean holds(String controllers) {
            return controllers.isEmpty()
                    ? unified
                    : !unified && options.containsAll(List.of(controllers.split(",", -1)));
        }

        String directory(String path) {
            boolean below = !root.equals("/") && (path.equals(root) || path.startsWith(root + "/"));
            return point + (below ? path.substring(root.length()) : path);
        }
    }
}
