package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.nm.attribute.CgroupMount;
import org.interference.yarn.nm.attribute.ContainerCgroup;

/**
 * The hierarchy that has one controller on this node.
 *
 * @param controller what it is called in this version: {@code cpuset}, and {@code blkio} or {@code io}
 */
record Hierarchy(CgroupMount mount, String controller) {
    /** Finds the hierarchy of a controller by its name in version 1, else in version 2; empty if neither has it. */
    static Optional<Hierarchy> of(String mountInfo, ControlFiles files, String name1, String name2) throws IOException {
        List<CgroupMount> mounts = CgroupMount.all(mountInfo);
        for (CgroupMount mount : mounts) {
            if (!mount.unified() && mount.options().contains(name1)) {
                return Optional.of(new Hierarchy(mount, name1));
            }
        }
        for (CgroupMount mount : mounts) {
            Path controllers = Path.of(mount.point(), "cgroup.controllers");
            if (mount.unified() && files.exists(controllers) && lists(files.read(controllers), name2)) {
                return Optional.of(new Hierarchy(mount, name2));
            }
        }
        return Optional.empty();
    }

    static boolean lists(String controllers, String name) {
        return List.of(controllers.strip().split("\\s+")).contains(name);
    }

    Path top() {
        return Path.of(mount.point());
    }

    /** Returns the group of a process in this hierarchy; {@code cgroups} is the text of its {@code /proc/PID/cgroup}. */
    Optional<Path> groupOf(String cgroups) {
        return line(cgroups).map(line -> Path.of(mount.directory(line.split(":", 3)[2])));
    }

    /** Returns the group that YARN made for {@code container} in this hierarchy, if it made one. */
    Optional<Path> yarnsGroup(String container, String cgroups, String mountInfo) {
        return line(cgroups)
                .flatMap(line -> ContainerCgroup.directory(container, line, mountInfo))
                .map(Path::of);
    }

    private Optional<String> line(String cgroups) {
        return cgroups.lines()
                .filter(line -> line.split(":", 3).length == 3)
                .filter(line -> mount.unified()
                        ? line.startsWith("0::")
                        : List.of(line.split(":", 3)[1].split(",", -1)).contains(controller))
                .findFirst();
    }
}
