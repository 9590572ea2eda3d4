package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.interference.yarn.nm.attribute.ContainerCgroup;
import org.interference.yarn.nm.attribute.ProcessTable;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.collect.WatchedContainer;

/** Which processes are whose: by the cgroup that YARN made for a container, else by the tree of its processes. */
final class ContainerMembers {
    private final ProcFiles files;

    ContainerMembers(ProcFiles files) {
        this.files = files;
    }

    /** Returns the pids of each of {@code watched}, by container id. */
    Map<String, Set<Long>> of(Collection<WatchedContainer> watched, ProcessTable table) throws IOException {
        String mountInfo = files.mountInfo();
        Map<Long, Set<Long>> trees =
                table.membersOf(watched.stream().map(WatchedContainer::rootPid).toList());
        Map<String, Set<Long>> members = new HashMap<>();
        for (WatchedContainer container : watched) {
            Optional<String> cgroup = files.cgroups(container.rootPid())
                    .flatMap(text -> ContainerCgroup.directory(container.id(), text, mountInfo));
            members.put(
                    container.id(),
                    cgroup.isPresent()
                            ? files.cgroupMembers(Path.of(cgroup.get()))
                            : new HashSet<>(trees.get(container.rootPid())));
        }
        return members;
    }
}
