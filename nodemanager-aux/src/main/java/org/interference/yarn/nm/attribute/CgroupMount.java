package org.interference.yarn.nm.attribute;

import java.util.ArrayList;
import java.util.List;

/**
 * One mounted cgroup hierarchy.
 *
 * @param unified whether it is of version 2
 * @param options of version 1, its controllers among them
 * @param root the cgroup that is mounted
 * @param point where it is mounted
 */
public record CgroupMount(boolean unified, List<String> options, String root, String point) {
    private static final int MOUNT_ROOT = 3;
    private static final int MOUNT_POINT = 4;

    public CgroupMount {
        options = List.copyOf(options);
    }

    /** Returns the hierarchies in {@code mountInfo}, the text of {@code /proc/self/mountinfo}. */
    public static List<CgroupMount> all(String mountInfo) {
        List<CgroupMount> mounts = new ArrayList<>();
        for (String line : mountInfo.lines().toList()) {
            String[] halves = line.split(" - ", 2);
            String[] left = halves[0].split(" ", -1);
            String[] right = halves.length < 2 ? new String[0] : halves[1].split(" ", -1);
            if (left.length > MOUNT_POINT && right.length >= 3 && right[0].startsWith("cgroup")) {
                mounts.add(new CgroupMount(
                        right[0].equals("cgroup2"),
                        List.of(right[2].split(",", -1)),
                        left[MOUNT_ROOT],
                        left[MOUNT_POINT].replace("\\040", " ")));
            }
        }
        return mounts;
    }

    /** Whether it is the one that a line of {@code /proc/PID/cgroup} is of; the line of version 2 names no controllers. */
    public boolean holds(String controllers) {
        return controllers.isEmpty() ? unified : !unified && options.containsAll(List.of(controllers.split(",", -1)));
    }

    /** Returns where the cgroup {@code path} of this hierarchy stands in the file system. */
    public String directory(String path) {
        boolean below = !root.equals("/") && (path.equals(root) || path.startsWith(root + "/"));
        return point + (below ? path.substring(root.length()) : path);
    }
}
