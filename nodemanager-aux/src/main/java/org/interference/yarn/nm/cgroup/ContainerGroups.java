package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.interference.yarn.nm.attribute.ProcessTable;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.collect.WatchedContainer;
import org.interference.yarn.nm.control.Change;

/**
 * Confines and limits containers by control groups, version 1 or 2, and undoes all of it. Not thread-safe.
 *
 * <p>Where YARN has made a group for the container in the hierarchy that has the controller, its files are written. Elsewhere the
 * container gets a group of ours, {@code interference/control_CONTAINER}, into which all its processes are moved: below the group in
 * which they are in version 1, so that limits above them go on to hold, and below the root in version 2, which allows no processes
 * beside groups.
 */
public final class ContainerGroups implements AutoCloseable {
    private static final int ROUNDS = 20;

    private final ProcFiles proc;
    private final ContainerMembers members;
    private final ControlFiles files;
    private final ChangeLedger ledger;
    private final GroupFinder groups;
    private final DiskLimits limits;
    private final Optional<Hierarchy> cpuset;
    private final Optional<Hierarchy> blocks;

    /** By which controllers each container is confined or limited now. */
    private final Map<String, Set<String>> inForce = new HashMap<>();

    private ContainerGroups(ProcFiles proc, ControlFiles files, Journal journal, List<String> disks)
            throws IOException {
        this.proc = proc;
        this.members = new ContainerMembers(proc);
        this.files = files;
        this.ledger = new ChangeLedger(files, journal);
        this.groups = new GroupFinder(proc, files, ledger);
        this.limits = new DiskLimits(files, disks);
        String mountInfo = proc.mountInfo();
        this.cpuset = Hierarchy.of(mountInfo, files, "cpuset", "cpuset");
        this.blocks = Hierarchy.of(mountInfo, files, "blkio", "io");
    }

    /**
     * Undoes what an earlier one left behind, and makes one. What cannot be undone now is named by {@link #leftovers} and tried again
     * by {@link #retain} and {@link #close}.
     *
     * @param disks the devices to limit, as {@code MAJOR:MINOR}
     * @param journal the file that says what must be undone
     */
    public static ContainerGroups open(ProcFiles proc, ControlFiles files, Path journal, List<String> disks)
            throws IOException {
        ContainerGroups containers = new ContainerGroups(proc, files, Journal.open(journal, proc.bootId()), disks);
        try {
            containers.ledger.undoAll();
        } catch (IOException e) {
            // It stays in the journal, and so among the leftovers.
        }
        return containers;
    }

    /**
     * Moves what is to be undone from one journal to another, so that the next {@link #open} of the latter undoes it.
     *
     * @param from is removed
     */
    public static void moveJournal(ProcFiles proc, Path from, Path to) throws IOException {
        Journal.open(to, proc.bootId()).adopt(from);
    }

    /** Returns the files and groups that an earlier one changed and that could not be undone yet. */
    public List<Path> leftovers() {
        return ledger.leftovers();
    }

    /**
     * Makes one change.
     *
     * @param rootPid the process that YARN launched
     * @throws IOException if it is not made, or only in part; {@link #release} takes back what there is of it
     */
    public void apply(Change change, long rootPid) throws IOException {
        WatchedContainer container = new WatchedContainer(change.container(), rootPid);
        if (change instanceof Change.Cores cores) {
            Hierarchy hierarchy = required(cpuset, "no cpuset controller is mounted");
            if (cores.cores().isPresent()) {
                confineCores(hierarchy, container, cores.cores().get().toString());
            } else {
                release(container.id(), hierarchy, blocks);
            }
        } else if (change instanceof Change.Disk disk) {
            Hierarchy hierarchy = required(blocks, "no block I/O controller is mounted");
            if (disk.bytesPerSecond().isPresent()) {
                limitDisks(hierarchy, container, disk.bytesPerSecond().getAsLong());
            } else {
                release(container.id(), hierarchy, cpuset);
            }
        }
    }

    private static Hierarchy required(Optional<Hierarchy> hierarchy, String otherwise) throws IOException {
        return hierarchy.orElseThrow(() -> new IOException(otherwise));
    }

    /** Takes back everything that was done for {@code container}. */
    public void release(String container) throws IOException {
        releaseBelow(container, Path.of("/"));
    }

    /** Takes back everything that was done for containers other than {@code running}, the leftovers of an earlier one among it. */
    public void retain(Collection<String> running) throws IOException {
        Set<String> over = new HashSet<>(ledger.containers());
        over.removeAll(Set.copyOf(running));
        IOException failure = null;
        try {
            ledger.undoLeftovers();
        } catch (IOException e) {
            failure = e;
        }
        for (String container : over) {
            try {
                release(container);
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** Undoes everything; what cannot be undone stays in the journal, for the next one to try. */
    @Override
    public void close() throws IOException {
        inForce.clear();
        ledger.undoAll();
    }

    /** Version 2 has both controllers in one group, which goes when neither is needed any more. */
    private void release(String container, Hierarchy hierarchy, Optional<Hierarchy> other) throws IOException {
        Set<String> controllers = inForce.getOrDefault(container, new HashSet<>());
        controllers.remove(hierarchy.controller());
        boolean shared = other.isPresent()
                && other.get().top().equals(hierarchy.top())
                && controllers.contains(other.get().controller());
        if (!shared) {
            releaseBelow(container, hierarchy.top());
            return;
        }
        for (Path path : ledger.of(container)) {
            if (Undoing.isOurs(path)) {
                neutralise(hierarchy, path);
            }
        }
        undo(
                container,
                ledger.of(container).stream()
                        .filter(path -> path.getFileName().toString().startsWith(hierarchy.controller() + "."))
                        .toList());
    }

    private void neutralise(Hierarchy hierarchy, Path group) throws IOException {
        if (!hierarchy.controller().equals("cpuset")) {
            limits.lift(hierarchy, group);
        } else if (hierarchy.mount().unified()) {
            Undoing.inherit(files, group);
        } else {
            groups.copyCpuset(group.getParent(), group);
        }
    }

    private void releaseBelow(String container, Path top) throws IOException {
        undo(
                container,
                ledger.of(container).stream()
                        .filter(path -> path.startsWith(top))
                        .toList());
    }

    private void undo(String container, List<Path> paths) throws IOException {
        ledger.undo(container, paths);
        if (ledger.of(container).isEmpty()) {
            inForce.remove(container);
        }
    }

    private void confineCores(Hierarchy hierarchy, WatchedContainer container, String cores) throws IOException {
        Path group = groups.of(hierarchy, container);
        Path file = group.resolve(Undoing.CPUS);
        ledger.change(container.id(), file, "", files.read(file).strip());
        files.write(file, cores);
        moveIn(container, hierarchy, group);
    }

    private void limitDisks(Hierarchy hierarchy, WatchedContainer container, long bytesPerSecond) throws IOException {
        if (limits.hasNoDisk()) {
            throw new IOException("no disk is known behind the local directories");
        }
        Path group = groups.of(hierarchy, container);
        limits.note(ledger, container.id(), hierarchy, group);
        limits.limit(hierarchy, group, bytesPerSecond);
        moveIn(container, hierarchy, group);
    }

    /** Moves every process of the container into {@code group}, until none is left out. */
    private void moveIn(WatchedContainer container, Hierarchy hierarchy, Path group) throws IOException {
        inForce.computeIfAbsent(container.id(), id -> new HashSet<>()).add(hierarchy.controller());
        if (!Undoing.isOurs(group)) {
            return;
        }
        for (int round = 0; round < ROUNDS; round++) {
            Set<Long> outside = processes(container);
            for (String pid : Undoing.pids(files, group)) {
                outside.remove(Long.valueOf(pid));
            }
            if (outside.isEmpty()) {
                return;
            }
            for (long pid : outside) {
                Undoing.move(files, Long.toString(pid), group);
            }
        }
        throw new IOException("the container forks faster than it can be moved in " + hierarchy.top());
    }

    private Set<Long> processes(WatchedContainer container) throws IOException {
        return members.of(List.of(container), ProcessTable.of(proc.processes())).get(container.id());
    }
}
