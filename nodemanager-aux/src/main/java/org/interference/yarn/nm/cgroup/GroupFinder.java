package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.collect.WatchedContainer;

/** Finds the group of a container in a hierarchy, or makes one. Not thread-safe. */
final class GroupFinder {
    static final String TREE = "interference";

    /** Of version 2; a blank one limits nothing. Weights are not among them: they share out, and forbid nothing. */
    private static final List<String> LIMITS =
            List.of("cpu.max", "cpuset.cpus", "cpuset.mems", "memory.max", "memory.high", "memory.swap.max", "io.max");

    /** The limit that systemd gives to every service: to refuse it would be to refuse all of them. */
    private static final String TASKS = "pids.max";

    private static final String UNLIMITED = "max";

    private final ProcFiles proc;
    private final ControlFiles files;
    private final ChangeLedger ledger;

    GroupFinder(ProcFiles proc, ControlFiles files, ChangeLedger ledger) {
        this.proc = proc;
        this.files = files;
        this.ledger = ledger;
    }

    /** Returns YARN's group of the container, or one of ours, which is made if it is not there. */
    Path of(Hierarchy hierarchy, WatchedContainer container) throws IOException {
        String cgroups =
                proc.cgroups(container.rootPid()).orElseThrow(() -> new IOException("the container's process is gone"));
        Optional<Path> yarns = hierarchy.yarnsGroup(container.id(), cgroups, proc.mountInfo());
        if (yarns.isPresent()) {
            enable(hierarchy, yarns.get());
            return yarns.get();
        }
        Path origin = hierarchy
                .groupOf(cgroups)
                .orElseThrow(() -> new IOException("the container has no group in " + hierarchy.top()));
        String name = Undoing.OURS + container.id();
        if (origin.endsWith(name)) {
            // In version 2 another controller has made it.
            enable(hierarchy, origin);
            return origin;
        }
        return made(hierarchy, container, origin, name);
    }

    private Path made(Hierarchy hierarchy, WatchedContainer container, Path origin, String name) throws IOException {
        boolean unified = hierarchy.mount().unified();
        boolean cpuset = !unified && hierarchy.controller().equals("cpuset");
        Path tree = (unified ? hierarchy.top() : origin).resolve(TREE);
        requireNoLimits(hierarchy, origin);
        ledger.make(tree, origin);
        Path group = tree.resolve(name);
        enable(hierarchy, group);
        if (cpuset) {
            copyCpuset(origin, tree);
        }
        ledger.make(container.id(), group, origin);
        if (cpuset) {
            copyCpuset(tree, group);
        }
        if (unified) {
            copyTasksLimit(hierarchy, origin, group);
        }
        return group;
    }

    /** In version 2 a group of ours is not below the one that the container comes from, whose limits would no longer hold. */
    private void requireNoLimits(Hierarchy hierarchy, Path origin) throws IOException {
        if (!hierarchy.mount().unified()) {
            return;
        }
        for (Path group = origin; !group.equals(hierarchy.top()); group = group.getParent()) {
            for (String limit : LIMITS) {
                Path file = group.resolve(limit);
                if (files.exists(file) && !isUnlimited(files.read(file))) {
                    throw new IOException("moving the container would free it of " + file);
                }
            }
        }
    }

    private static boolean isUnlimited(String limit) {
        return limit.isBlank() || limit.startsWith(UNLIMITED);
    }

    /** Each container may have as many tasks as all of its service together had: one that forks without end is still stopped. */
    private void copyTasksLimit(Hierarchy hierarchy, Path origin, Path group) throws IOException {
        OptionalLong least = OptionalLong.empty();
        for (Path above = origin; !above.equals(hierarchy.top()); above = above.getParent()) {
            Path file = above.resolve(TASKS);
            String limit = files.exists(file) ? files.read(file).strip() : UNLIMITED;
            if (!isUnlimited(limit)) {
                long tasks = Long.parseLong(limit);
                least = OptionalLong.of(Math.min(tasks, least.orElse(tasks)));
            }
        }
        if (least.isPresent()) {
            enable(new Hierarchy(hierarchy.mount(), "pids"), group);
            files.write(group.resolve(TASKS), Long.toString(least.getAsLong()));
        }
    }

    /** Version 1 leaves a new cpuset empty, and lets no process into it. */
    void copyCpuset(Path from, Path to) throws IOException {
        for (String name : List.of("cpuset.mems", "cpuset.cpus")) {
            files.write(to.resolve(name), files.read(from.resolve(name)).strip());
        }
    }

    /**
     * Lets the groups down to {@code group} have the controller, where version 2 leaves it to those above. It is never taken from them
     * again: an enabled controller harms nobody, and others may have come to need it.
     */
    private void enable(Hierarchy hierarchy, Path group) throws IOException {
        if (!hierarchy.mount().unified()) {
            return;
        }
        Path above = hierarchy.top();
        for (Path part : hierarchy.top().relativize(group)) {
            Path control = above.resolve("cgroup.subtree_control");
            if (!Hierarchy.lists(files.read(control), hierarchy.controller())) {
                files.write(control, "+" + hierarchy.controller());
            }
            above = above.resolve(part);
        }
    }
}
