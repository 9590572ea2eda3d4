package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.interference.yarn.nm.attribute.CgroupMount;
import org.interference.yarn.nm.attribute.ContainerCgroup;
import org.interference.yarn.nm.attribute.ProcessEntry;
import org.interference.yarn.nm.attribute.ProcessTable;
import org.interference.yarn.signal.Signal;

/**
 * Counts without a daemon or privileges, what costs a few files a container however many threads it has (ADR-0045): what the kernel keeps
 * for the control groups that YARN made for it. CPU time and resident memory that no group counts are those of its processes, by one
 * file for each. Everything else is not counted, with the reason.
 */
public final class ControlGroupCounterSource implements CounterSource {
    static final String NAME = "cgroup";

    /** What CPU time and memory are counted by where no control group of the container's own does. */
    static final String PROC = "proc";

    /** The kernel's user-visible tick, 1/100 s on every architecture that Hadoop runs on. */
    private static final long NANOS_PER_TICK = 10_000_000;

    private static final String NO_PROCESS = "no process of the container is visible in /proc";
    private static final String NO_CPU = "neither a control group nor /proc counts it";
    private static final String NO_MEMORY = "the kernel does not say how much memory the node or a page has";
    private static final String NO_KINDS =
            "no control group of the container's own has the memory controller; intpd tells it by its processes";

    private final ProcFiles files;
    private final LongSupplier nanoTime;
    private final Map<String, Known> containers = new HashMap<>();
    private long lastNanos;

    /**
     * @param proc where the process file system is mounted
     * @param sys where sysfs is mounted
     * @param nanoTime a monotonic clock, as {@link System#nanoTime}
     */
    public ControlGroupCounterSource(Path proc, Path sys, LongSupplier nanoTime) {
        this.files = new ProcFiles(proc, sys);
        this.nanoTime = nanoTime;
    }

    /** What is remembered of a container from look to look. */
    private static final class Known {
        private final ContainerSums sums = new ContainerSums();
        private TreeTimes times = new TreeTimes();
        private long pid;
        private OptionalLong startTicks = OptionalLong.empty();
        private Map<String, String> groups = Map.of();
        private boolean everVisible;
        private boolean gone;

        Known(long pid) {
            this.pid = pid;
        }

        /** Forgets an earlier process, but for what was counted of it. */
        void follow(long rootPid, ProcFiles files) {
            if (pid != rootPid) {
                pid = rootPid;
                startTicks = OptionalLong.empty();
                groups = Map.of();
                end();
            }
            if (startTicks.isEmpty()) {
                startTicks = files.startTicks(rootPid);
            }
        }

        void end() {
            times = new TreeTimes();
            sums.interrupt();
        }
    }

    /** All processes of the node, and whose they are: read only if the count of a container wants it, and once for all. */
    private final class Trees {
        private final List<Long> roots;
        private Optional<ProcessTable> table = Optional.empty();
        private Map<Long, Set<Long>> members = Map.of();

        Trees(Collection<WatchedContainer> watched) {
            roots = watched.stream().map(WatchedContainer::rootPid).toList();
        }

        List<ProcessEntry> of(Known container) throws IOException {
            if (table.isEmpty()) {
                ProcessTable read = ProcessTable.of(files.processes());
                members = read.membersOf(roots);
                table = Optional.of(read);
            }
            Optional<ProcessEntry> root = table.get().entry(container.pid);
            if (root.isPresent()
                    && !container.startTicks.equals(OptionalLong.of(root.get().startTicks()))) {
                // Its pid is another process's by now.
                return List.of();
            }
            return members.get(container.pid).stream()
                    .flatMap(pid -> table.get().entry(pid).stream())
                    .toList();
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Map<String, Map<Signal, Count>> snapshot(Collection<WatchedContainer> watched) throws IOException {
        containers.keySet().retainAll(watched.stream().map(WatchedContainer::id).toList());
        boolean complete = false;
        try {
            look(watched);
            complete = true;
        } finally {
            if (!complete) {
                containers.values().forEach(Known::end);
            }
        }
        Map<String, Map<Signal, Count>> counts = new HashMap<>();
        containers.forEach((id, container) -> {
            if (!container.gone) {
                counts.put(id, container.sums.counts());
            }
        });
        return counts;
    }

    private void look(Collection<WatchedContainer> watched) throws IOException {
        ControlGroupFiles groupFiles = new ControlGroupFiles(files);
        List<CgroupMount> mounts = CgroupMount.all(files.mountInfo());
        OptionalLong pageBytes = files.pageBytes();
        Trees trees = new Trees(watched);
        long mostTicks = (nanoTime.getAsLong() - lastNanos) / NANOS_PER_TICK * groupFiles.cpus();
        for (WatchedContainer container : watched) {
            Known known = containers.computeIfAbsent(container.id(), id -> new Known(container.rootPid()));
            known.follow(container.rootPid(), files);
            boolean inGroup = findGroups(container, known, mounts);
            long now = nanoTime.getAsLong();
            EnumMap<Signal, GroupFigure> figures = groupFiles.figures(known.groups);
            List<ProcessEntry> processes = List.of();
            if (!inGroup || !figures.containsKey(Signal.CPU) || !figures.containsKey(Signal.MEM)) {
                processes = trees.of(known);
                now = nanoTime.getAsLong();
                putTree(known, processes, groupFiles, pageBytes, mostTicks, figures);
            }
            boolean visible = inGroup || !processes.isEmpty();
            known.gone = known.everVisible && !visible;
            known.everVisible |= visible;
            if (known.gone) {
                known.end();
            } else {
                known.sums.add(known.everVisible ? figures : unseen(), now);
            }
        }
        lastNanos = nanoTime.getAsLong();
    }

    /** Finds the container's groups; returns whether a process is in them. */
    private boolean findGroups(WatchedContainer container, Known known, List<CgroupMount> mounts) throws IOException {
        Map<String, String> found = files.cgroups(container.rootPid())
                .map(text -> ContainerCgroup.directories(container.id(), text, mounts))
                .orElse(Map.of());
        if (!found.isEmpty()) {
            known.groups = found;
            return true;
        }
        // The root has ended, and others may not have.
        for (String group : known.groups.values()) {
            if (!files.cgroupMembers(Path.of(group)).isEmpty()) {
                return true;
            }
        }
        known.groups = Map.of();
        return false;
    }

    private static void putTree(
            Known known,
            List<ProcessEntry> processes,
            ControlGroupFiles groupFiles,
            OptionalLong pageBytes,
            long mostTicks,
            EnumMap<Signal, GroupFigure> figures) {
        double nanos = (double) known.times.add(processes, mostTicks) * NANOS_PER_TICK;
        figures.putIfAbsent(
                Signal.CPU,
                processes.isEmpty() ? new GroupFigure.Missing(NO_CPU, PROC) : groupFiles.cpu(nanos, PROC, PROC));
        if (!figures.containsKey(Signal.MEM)) {
            long pages =
                    processes.stream().mapToLong(ProcessEntry::residentPages).sum();
            figures.put(
                    Signal.MEM,
                    (pageBytes.isEmpty() || processes.isEmpty()
                                    ? Optional.<GroupFigure>empty()
                                    : groupFiles.memory((double) pages * pageBytes.getAsLong(), PROC, PROC))
                            .orElse(new GroupFigure.Missing(NO_MEMORY, PROC)));
            figures.put(Signal.MEMANON, new GroupFigure.Missing(NO_KINDS, NAME));
            figures.put(Signal.MEMFILE, new GroupFigure.Missing(NO_KINDS, NAME));
        }
    }

    private static Map<Signal, GroupFigure> unseen() {
        EnumMap<Signal, GroupFigure> figures = new EnumMap<>(Signal.class);
        for (Signal signal : Signal.values()) {
            figures.put(signal, new GroupFigure.Missing(NO_PROCESS, NAME));
        }
        return figures;
    }
}
