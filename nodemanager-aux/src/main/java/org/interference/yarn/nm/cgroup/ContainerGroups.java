package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.interference.yarn.nm.attribute.ProcessTable;
import org.interference.yarn.nm.collect.ContainerMembers;
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
    static final String TREE = "interference";
    static final String PREFIX = "control_";

    private static final int ROUNDS = 20;
    private static final List<String> LIMITS = List.of("cpu.max", "memory.max", "memory.high", "io.max");

    private final ProcFiles proc;
    private final ContainerMembers members;
    private final ControlFiles files;
    private final Journal journal;
    private final Undoing undoing;
    private final List<String> disks;
    private final Optional<Hierarchy> cpuset;
    private final Optional<Hierarchy> blocks;
    private final Optional<Path> resctrl;

    /** What was made or changed for each container, the oldest first. */
    private final Map<String, List<Path>> ofContainer = new HashMap<>();

    /** By which controllers each container is confined or limited now. */
    private final Map<String, Set<String>> inForce = new HashMap<>();

    private ContainerGroups(
            ProcFiles proc, ControlFiles files, Journal journal, List<String> disks, Optional<Path> resctrl)
            throws IOException {
        this.proc = proc;
        this.members = new ContainerMembers(proc);
        this.files = files;
        this.journal = journal;
        this.undoing = new Undoing(files);
        this.disks = List.copyOf(disks);
        String mountInfo = proc.mountInfo();
        this.cpuset = Hierarchy.of(mountInfo, files, "cpuset", "cpuset");
        this.blocks = Hierarchy.of(mountInfo, files, "blkio", "io");
        this.resctrl = resctrl;
    }

    /**
     * Undoes what an earlier one left behind, and makes one.
     *
     * @param disks the devices to limit, as {@code MAJOR:MINOR}
     * @param journal the file that says what must be undone
     * @param resctrl where resctrl is mounted; empty where it is not to be used
     */
    public static ContainerGroups open(
            ProcFiles proc, ControlFiles files, Path journal, List<String> disks, Optional<Path> resctrl)
            throws IOException {
        ContainerGroups groups = new ContainerGroups(proc, files, Journal.open(journal), disks, resctrl);
        groups.undoAll();
        return groups;
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
                Path group = group(hierarchy, container);
                set(
                        container.id(),
                        group.resolve("cpuset.cpus"),
                        cores.cores().get().toString());
                moveIn(container, hierarchy, group);
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
        } else if (change instanceof Change.Cache cache) {
            Path root = resctrl.orElseThrow(() -> new IOException("resctrl is not mounted"));
            if (cache.percent().isPresent()) {
                confineCache(root, container, cache.percent().getAsLong());
            } else {
                releaseBelow(container.id(), root);
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

    /** Takes back everything that was done for containers other than {@code running}. */
    public void retain(Collection<String> running) throws IOException {
        List<String> over = new ArrayList<>(ofContainer.keySet());
        over.removeAll(Set.copyOf(running));
        IOException failure = null;
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
        try {
            undoAll();
        } finally {
            journal.close();
        }
    }

    private void undoAll() throws IOException {
        ofContainer.clear();
        inForce.clear();
        undo(journal.entries());
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
        List<Path> touched = ofContainer.getOrDefault(container, List.of());
        for (Path path : touched) {
            if (Undoing.isOurs(path)) {
                neutralise(hierarchy, path);
            }
        }
        List<Path> files = touched.stream()
                .filter(path -> path.getFileName().toString().startsWith(hierarchy.controller() + "."))
                .toList();
        undoAndForget(container, files);
    }

    private void neutralise(Hierarchy hierarchy, Path group) throws IOException {
        if (!hierarchy.controller().equals("cpuset")) {
            for (String disk : disks) {
                writeLimit(hierarchy, group, disk, Long.MAX_VALUE);
            }
        } else if (hierarchy.mount().unified()) {
            files.write(group.resolve("cpuset.cpus"), "\n");
        } else {
            copyCpuset(group.getParent(), group);
        }
    }

    private void releaseBelow(String container, Path top) throws IOException {
        List<Path> touched = ofContainer.getOrDefault(container, List.of());
        undoAndForget(
                container, touched.stream().filter(path -> path.startsWith(top)).toList());
    }

    private void undoAndForget(String container, List<Path> paths) throws IOException {
        undo(journal.entries().stream()
                .filter(entry -> paths.contains(entry.path()))
                .toList());
        ofContainer.computeIfPresent(container, (id, touched) -> {
            touched.removeAll(paths);
            return touched.isEmpty() ? null : touched;
        });
        if (!ofContainer.containsKey(container)) {
            inForce.remove(container);
        }
    }

    /** The newest first. One that fails does not keep the others from being undone. */
    private void undo(List<Undo> entries) throws IOException {
        IOException failure = null;
        for (int i = entries.size() - 1; i >= 0; i--) {
            try {
                undoing.undo(entries.get(i));
                journal.undone(entries.get(i));
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void limitDisks(Hierarchy hierarchy, WatchedContainer container, long bytesPerSecond) throws IOException {
        if (disks.isEmpty()) {
            throw new IOException("no disk is known behind the local directories");
        }
        Path group = group(hierarchy, container);
        for (String disk : disks) {
            noteLimit(hierarchy, container.id(), group, disk);
            writeLimit(hierarchy, group, disk, bytesPerSecond);
        }
        moveIn(container, hierarchy, group);
    }

    /** Returns YARN's group of the container, or one of ours, which is made if it is not there. */
    private Path group(Hierarchy hierarchy, WatchedContainer container) throws IOException {
        String cgroups = cgroups(container);
        Optional<Path> yarns = hierarchy.yarnsGroup(container.id(), cgroups, proc.mountInfo());
        if (yarns.isPresent()) {
            enable(hierarchy, yarns.get());
            return yarns.get();
        }
        Path origin = hierarchy
                .groupOf(cgroups)
                .orElseThrow(() -> new IOException("the container has no group in " + hierarchy.top()));
        if (isOurGroup(origin, container)) {
            return origin;
        }
        Path tree = (hierarchy.mount().unified() ? hierarchy.top() : origin).resolve(TREE);
        requireNoLimits(hierarchy, origin);
        made(tree, origin);
        Path group = tree.resolve(PREFIX + container.id());
        if (hierarchy.mount().unified()) {
            enable(hierarchy, group);
        } else if (hierarchy.controller().equals("cpuset")) {
            copyCpuset(origin, tree);
        }
        remember(container.id(), group);
        made(group, origin);
        if (!hierarchy.mount().unified() && hierarchy.controller().equals("cpuset")) {
            copyCpuset(tree, group);
        }
        return group;
    }

    private static boolean isOurGroup(Path group, WatchedContainer container) {
        return group.getFileName() != null && group.getFileName().toString().equals(PREFIX + container.id());
    }

    private String cgroups(WatchedContainer container) throws IOException {
        return proc.cgroups(container.rootPid()).orElseThrow(() -> new IOException("the container's process is gone"));
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
        return limit.isBlank() || limit.startsWith("max");
    }

    private void copyCpuset(Path from, Path to) throws IOException {
        for (String name : List.of("cpuset.mems", "cpuset.cpus")) {
            files.write(to.resolve(name), files.read(from.resolve(name)).strip());
        }
    }

    /** Lets the groups down to {@code group} have the controller, where version 2 leaves it to those above. */
    private void enable(Hierarchy hierarchy, Path group) throws IOException {
        if (!hierarchy.mount().unified()) {
            return;
        }
        Path above = hierarchy.top();
        for (Path part : hierarchy.top().relativize(group)) {
            Path control = above.resolve("cgroup.subtree_control");
            if (!Hierarchy.lists(files.read(control), hierarchy.controller())) {
                journal.add(new Undo.Changed(control, hierarchy.controller(), "-" + hierarchy.controller()));
                files.write(control, "+" + hierarchy.controller());
            }
            above = above.resolve(part);
        }
    }

    private void made(Path group, Path origin) throws IOException {
        journal.add(new Undo.Made(group, origin));
        files.make(group);
    }

    private void set(String container, Path file, String value) throws IOException {
        String before = files.read(file).strip();
        // Version 2 takes an empty line for what is inherited, and nothing at all for nothing.
        note(container, file, "", before.isEmpty() ? "\n" : before);
        files.write(file, value);
    }

    private void noteLimit(Hierarchy hierarchy, String container, Path group, String disk) throws IOException {
        for (String name : limitFiles(hierarchy)) {
            Path file = group.resolve(name);
            String none = disk + (hierarchy.mount().unified() ? " rbps=max wbps=max" : " 0");
            String before = files.read(file)
                    .lines()
                    .filter(line -> line.startsWith(disk + " "))
                    .findFirst()
                    .orElse(none);
            note(container, file, disk, before);
        }
    }

    /** Every one of these files has a line for each device. */
    private static List<String> limitFiles(Hierarchy hierarchy) {
        return hierarchy.mount().unified()
                ? List.of("io.max")
                : List.of("blkio.throttle.read_bps_device", "blkio.throttle.write_bps_device");
    }

    private void writeLimit(Hierarchy hierarchy, Path group, String disk, long bytesPerSecond) throws IOException {
        boolean none = bytesPerSecond == Long.MAX_VALUE;
        for (String name : limitFiles(hierarchy)) {
            String unified = none ? "rbps=max wbps=max" : "rbps=%1$d wbps=%1$d".formatted(bytesPerSecond);
            String separate = none ? "0" : Long.toString(bytesPerSecond);
            files.write(group.resolve(name), disk + " " + (hierarchy.mount().unified() ? unified : separate));
        }
    }

    /** In a group of ours no file needs undoing: the group goes as a whole. */
    private void note(String container, Path file, String part, String before) throws IOException {
        if (!Undoing.isOurs(file.getParent())) {
            remember(container, file);
            journal.add(new Undo.Changed(file, part, before));
        }
    }

    private void remember(String container, Path path) {
        List<Path> paths = ofContainer.computeIfAbsent(container, id -> new ArrayList<>());
        if (!paths.contains(path)) {
            paths.add(path);
        }
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

    /** A polluter's processes go into an allocation group of resctrl with the lower part of the cache and of the bandwidth. */
    private void confineCache(Path root, WatchedContainer container, long percent) throws IOException {
        Path group = root.resolve(PREFIX + container.id());
        remember(container.id(), group);
        made(group, root);
        Path schemata = group.resolve("schemata");
        files.write(schemata, Schemata.confined(files.read(root.resolve("schemata")), percent));
        for (long pid : processes(container)) {
            for (long thread : proc.threadIds(pid)) {
                Undoing.move(files, Long.toString(thread), group);
            }
        }
    }
}
