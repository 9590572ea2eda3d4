package org.interference.yarn.nm.attribute;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * All processes of the node at one instant. Immutable.
 *
 * <p>A process belongs to the root that leads its session, else to the nearest root among its ancestors and their
 * sessions. The session keeps a process whose parent ended before it, because YARN's launch script makes the root of a
 * container a session leader.
 */
public final class ProcessTable {
    private final Map<Long, ProcessEntry> byPid;

    private ProcessTable(Map<Long, ProcessEntry> byPid) {
        this.byPid = byPid;
    }

    public static ProcessTable of(Collection<ProcessEntry> processes) {
        Map<Long, ProcessEntry> byPid = new HashMap<>();
        processes.forEach(process -> byPid.put(process.pid(), process));
        return new ProcessTable(Collections.unmodifiableMap(byPid));
    }

    /** Returns the process with {@code pid}; empty if there was none. */
    public Optional<ProcessEntry> entry(long pid) {
        return Optional.ofNullable(byPid.get(pid));
    }

    /** Returns the pids that belong to each of {@code roots}; no pid belongs to two. */
    public Map<Long, Set<Long>> membersOf(Collection<Long> roots) {
        Map<Long, Set<Long>> members = new HashMap<>();
        roots.forEach(root -> members.put(root, new HashSet<>()));
        for (ProcessEntry process : byPid.values()) {
            rootOf(process, members.keySet())
                    .ifPresent(root -> members.get(root).add(process.pid()));
        }
        return members;
    }

    private OptionalLong rootOf(ProcessEntry process, Set<Long> roots) {
        ProcessEntry ancestor = process;
        // The bound stops a loop of parents, which a table read while pids are reused can show.
        for (int depth = 0; ancestor != null && depth <= byPid.size(); depth++) {
            if (roots.contains(ancestor.pid())) {
                return OptionalLong.of(ancestor.pid());
            }
            if (roots.contains(ancestor.session())) {
                return OptionalLong.of(ancestor.session());
            }
            ancestor = byPid.get(ancestor.parent());
        }
        return OptionalLong.empty();
    }
}
