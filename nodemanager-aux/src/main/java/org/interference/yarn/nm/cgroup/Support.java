package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.nm.collect.ProcFiles;

/**
 * Which of its two means node control has on this node, as far as can be told before there is a container.
 *
 * @param cores why containers cannot be confined to cores; empty if they can
 * @param disks why the disks cannot be limited; empty if they can
 */
public record Support(Optional<String> cores, Optional<String> disks) {
    /**
     * Looks at the mounted hierarchies, and changes nothing.
     *
     * @param yarnsGroups the path of YARN's groups below a hierarchy's root, which need not exist
     * @param mayMove whether this process may move the containers' processes from group to group
     */
    public static Support of(ProcFiles proc, ControlFiles files, String yarnsGroups, boolean mayMove)
            throws IOException {
        return new Support(
                reason(proc, files, yarnsGroups, mayMove, "cpuset", "cpuset"),
                reason(proc, files, yarnsGroups, mayMove, "blkio", "io"));
    }

    /** Returns the same on a node on which containers write to {@code disks}: without any, there is none to limit. */
    public Support with(List<String> disksBehind) {
        return disks.isEmpty() && disksBehind.isEmpty()
                ? new Support(cores, Optional.of("no disk is known behind the local directories"))
                : this;
    }

    private static Path below(Hierarchy hierarchy, String yarnsGroups) {
        return hierarchy.top().resolve(yarnsGroups.replaceAll("^/+", ""));
    }

    private static Optional<String> reason(
            ProcFiles proc, ControlFiles files, String yarnsGroups, boolean mayMove, String name1, String name2)
            throws IOException {
        Optional<Hierarchy> mounted = Hierarchy.of(proc.mountInfo(), files, name1, name2);
        if (mounted.isEmpty()) {
            return Optional.of("no cgroup hierarchy has the controller " + name2);
        }
        Hierarchy hierarchy = mounted.get();
        Path yarns = below(hierarchy, yarnsGroups);
        if (!yarns.equals(hierarchy.top()) && mayUse(hierarchy, files, yarns)) {
            return Optional.empty();
        }
        Path parent = hierarchy.mount().unified()
                ? hierarchy.top()
                : hierarchy.groupOf(proc.ownCgroups()).orElse(hierarchy.top());
        if (!mayUse(hierarchy, files, parent)) {
            return Optional.of("this user may write neither YARN's groups in %s nor %s with the controller %s"
                    .formatted(yarns, parent, hierarchy.controller()));
        }
        return mayMove
                ? Optional.empty()
                : Optional.of("YARN has no groups in %s, and only root may move other users' processes into ours"
                        .formatted(yarns));
    }

    /** Whether groups can be made or written below {@code group} that have the controller. */
    private static boolean mayUse(Hierarchy hierarchy, ControlFiles files, Path group) throws IOException {
        if (!files.exists(group) || !files.isWritable(group)) {
            return false;
        }
        if (!hierarchy.mount().unified()) {
            return true;
        }
        Path enabled = group.resolve("cgroup.subtree_control");
        Path available = group.resolve("cgroup.controllers");
        return files.exists(enabled)
                && (Hierarchy.lists(files.read(enabled), hierarchy.controller())
                        || (files.isWritable(enabled)
                                && Hierarchy.lists(files.read(available), hierarchy.controller())));
    }
}
