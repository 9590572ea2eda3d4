package org.interference.yarn.nm.app;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.interference.yarn.nm.cgroup.ContainerGroups;
import org.interference.yarn.nm.cgroup.Disks;
import org.interference.yarn.nm.cgroup.KernelFiles;
import org.interference.yarn.nm.cgroup.NodeController;
import org.interference.yarn.nm.cgroup.Support;
import org.interference.yarn.nm.collect.ListedContainer;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.collect.Sampled;
import org.interference.yarn.nm.control.Change;
import org.interference.yarn.nm.control.ControlSettings;
import org.interference.yarn.nm.control.Controller;
import org.interference.yarn.nm.control.CoreSet;
import org.interference.yarn.nm.heartbeat.Failures;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.ControlStatus;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.time.SteadyClock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's controller on a thread of its own. After each tick the thread rests {@value #REST} times what the tick took of a CPU, and
 * at least an interval and at most {@value #LONGEST_REST} of them; one while a change is on trial. Whatever goes wrong, containers run on as YARN started them.
 */
final class NodeControl implements NodeControlMXBean, NodeController.Events, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeControl.class);
    private static final String NAME = "Hadoop:service=NodeManager,name=InterferenceNodeControl,instance=";
    private static final String JOURNAL = "interference-node-control.journal";
    private static final Path PROC = Path.of("/proc");
    private static final Path SYS = Path.of("/sys");
    private static final int MOST_CHANGES = 100;
    private static final int REST = 500;

    /** In intervals. What a dear tick decided must not stand for minutes, whoever ends meanwhile. */
    private static final int LONGEST_REST = 10;

    private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

    private final NodeControlSettings settings;
    private final Failures failures = new Failures(LOG);
    private final NodeController controller;
    private final String unsupported;
    private final boolean idle;
    private final ScheduledExecutorService thread;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Deque<String> changes = new ArrayDeque<>();
    private Optional<RegisteredBean> bean = Optional.empty();

    private NodeControl(
            NodeControlSettings settings,
            NodeLayout layout,
            Supplier<Optional<Sampled>> newest,
            Supplier<? extends Collection<ListedContainer>> containers)
            throws IOException {
        this.settings = settings;
        ProcFiles files = new ProcFiles(PROC, SYS);
        List<String> disks = Disks.under(layout.local(), SYS);
        boolean mayMove = isRoot() || !layout.foreignProcesses();
        Support support = Support.of(files, new KernelFiles(), layout.yarnsGroups(), mayMove)
                .with(disks);
        ControlSettings wanted = settings.control();
        ControlSettings possible = possible(wanted, support);
        unsupported = unsupported(wanted, support);
        boolean hands = settings.mode() == NodeControlSettings.Mode.ON;
        idle = hands && possible.changesNothing();
        controller = new NodeController(
                new Controller(hands ? possible : wanted, CoreSet.parse(files.allowedCores())),
                hands && !idle
                        ? Optional.of(groups(files, layout.journalDirectories().get(0), disks))
                        : Optional.empty(),
                newest,
                containers,
                files,
                disks,
                new SteadyClock(InstantSource.system(), System::nanoTime),
                this);
        thread = new ScheduledThreadPoolExecutor(1, work -> {
            Thread daemon = new Thread(work, "interference-node-control");
            daemon.setDaemon(true);
            return daemon;
        });
    }

    private static boolean isRoot() throws IOException {
        return Integer.valueOf(0).equals(Files.getAttribute(PROC.resolve("self"), "unix:uid"));
    }

    /** Returns {@code control} without what this node cannot do. */
    private static ControlSettings possible(ControlSettings control, Support support) {
        return control.with(
                support.cores().isPresent() ? Optional.empty() : control.cores(),
                support.disks().isPresent() ? Optional.empty() : control.disk());
    }

    private static String unsupported(ControlSettings control, Support support) {
        List<String> reasons = new ArrayList<>();
        support.cores().filter(why -> control.cores().isPresent()).ifPresent(why -> reasons.add("cores: " + why));
        support.disks().filter(why -> control.disk().isPresent()).ifPresent(why -> reasons.add("disks: " + why));
        return String.join("; ", reasons);
    }

    /**
     * Undoes what an earlier NodeManager left behind, whatever the mode is now, and starts the controller if it is not off. What goes
     * wrong is noted, and costs only the controller.
     */
    static Optional<NodeControl> start(
            NodeControlSettings settings,
            NodeLayout layout,
            Supplier<Optional<Sampled>> newest,
            Supplier<? extends Collection<ListedContainer>> containers) {
        try {
            undoLeftovers(layout);
            if (settings.mode() == NodeControlSettings.Mode.OFF) {
                return Optional.empty();
            }
            NodeControl control = new NodeControl(settings, layout, newest, containers);
            control.bean = RegisteredBean.register(control, NodeControlMXBean.class, NAME, control.failures);
            control.begin();
            return Optional.of(control);
        } catch (IOException | RuntimeException e) {
            LOG.error("This node's containers are not controlled.", e);
            return Optional.empty();
        }
    }

    private void begin() {
        if (!unsupported.isEmpty()) {
            LOG.warn("Node control cannot do everything on this node: {}.", unsupported);
        }
        if (idle) {
            LOG.error("This node's containers are not controlled: nothing that node control could use is there.");
            return;
        }
        thread.execute(this::tick);
        LOG.info(
                "This node's containers are controlled every {} ({}).",
                settings.control().interval(),
                getMode());
    }

    /** As {@link #start} does, where a NodeManager starts whose containers nobody measures. What goes wrong is logged. */
    static void undoLeftovers(Supplier<NodeLayout> layout) {
        try {
            undoLeftovers(layout.get());
        } catch (Throwable e) {
            LOG.error("What an earlier NodeManager changed about containers stays.", e);
        }
    }

    /**
     * Undoes the first journal, after what the others say has been moved to it. What cannot be undone stays there for the next start, and
     * where node control is on for each of its ticks.
     */
    private static void undoLeftovers(NodeLayout layout) {
        ProcFiles files = new ProcFiles(PROC, SYS);
        List<Path> directories = layout.journalDirectories();
        for (int i = directories.size() - 1; i >= 0; i--) {
            Path journal = directories.get(i).resolve(JOURNAL);
            try {
                if (Files.exists(journal) && i > 0) {
                    ContainerGroups.moveJournal(
                            files, journal, directories.get(0).resolve(JOURNAL));
                } else if (Files.exists(journal)) {
                    groups(files, directories.get(0), List.of()).close();
                    Files.delete(journal);
                }
            } catch (IOException | RuntimeException e) {
                LOG.error("Containers stay as an earlier NodeManager confined them: {} is not undone.", journal, e);
            }
        }
    }

    private static ContainerGroups groups(ProcFiles files, Path journalDirectory, List<String> disks)
            throws IOException {
        return ContainerGroups.open(files, new KernelFiles(), journalDirectory.resolve(JOURNAL), disks);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // tick() catches everything, so the future has nothing to tell.
    private void tick() {
        long before = threads.getCurrentThreadCpuTime();
        controller.tick();
        long cost = Math.max(0, threads.getCurrentThreadCpuTime() - before);
        long rest = rest(settings.control().interval().toNanos(), cost, controller.isTrying());
        try {
            thread.schedule(this::tick, rest, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Closed.
        }
    }

    /** Returns for how long to rest after a tick that took {@code cost} of a CPU; all in ns. */
    static long rest(long interval, long cost, boolean onTrial) {
        return onTrial ? interval : Math.min(Math.max(interval, REST * cost), LONGEST_REST * interval);
    }

    /** Returns {@code report} with what the controller makes of each container. */
    NodeReport annotated(NodeReport report) {
        Map<String, ControlStatus> statuses = controller.statuses();
        if (statuses.isEmpty()) {
            return report;
        }
        List<ContainerReport> containers = report.containers().stream()
                .map(container -> statuses.containsKey(container.container())
                        ? container.with(statuses.get(container.container()))
                        : container)
                .toList();
        return new NodeReport(
                report.incarnation(), report.sequence(), report.measuredAt(), containers, report.figures());
    }

    @Override
    public void changed(Change change) {
        String text = text(change);
        LOG.info("Node control{}: {}", settings.mode() == NodeControlSettings.Mode.ON ? "" : " would", text);
        synchronized (changes) {
            changes.addLast(text);
            if (changes.size() > MOST_CHANGES) {
                changes.removeFirst();
            }
        }
    }

    private static String text(Change change) {
        String what;
        if (change instanceof Change.Cores cores) {
            what = cores.cores().map(set -> "confine to cores " + set).orElse("give back all cores");
        } else {
            OptionalLong limit = ((Change.Disk) change).bytesPerSecond();
            what = limit.isPresent() ? "limit the disks to %d bytes/s".formatted(limit.getAsLong()) : "free the disks";
        }
        return "%s: %s (%s)".formatted(change.container(), what, change.reason());
    }

    @Override
    public void remarked(String remark) {
        LOG.warn("Node control: {}.", remark);
    }

    @Override
    public void failed(String what, Throwable cause) {
        failures.note(what, cause);
    }

    @Override
    public String getMode() {
        return idle
                ? "unsupported"
                : settings.mode().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String getUnsupported() {
        return unsupported;
    }

    @Override
    public List<String> getNotUndone() {
        return controller.notUndone();
    }

    @Override
    public long getStepsBack() {
        return controller.stepsBack();
    }

    @Override
    public long getFailures() {
        return failures.total();
    }

    @Override
    public List<String> getChanges() {
        synchronized (changes) {
            return List.copyOf(changes);
        }
    }

    @Override
    public List<String> getContainers() {
        return controller.statuses().entrySet().stream()
                .map(entry -> entry.getKey() + ": " + text(entry.getValue()))
                .toList();
    }

    private static String text(ControlStatus status) {
        return "%s (%s), cores %s, disks %s, since %s"
                .formatted(
                        status.workClass().title(),
                        status.reason(),
                        status.cores().isEmpty() ? "all" : status.cores(),
                        status.diskBytesPerSecond().isPresent()
                                ? status.diskBytesPerSecond().getAsLong() + " bytes/s"
                                : "free",
                        status.since());
    }

    /** Stops the thread, waiting a bounded time for a tick in progress, and undoes everything. */
    @Override
    public void close() {
        bean.ifPresent(RegisteredBean::close);
        thread.shutdownNow();
        try {
            if (thread.awaitTermination(LONGEST_STOP.toNanos(), TimeUnit.NANOSECONDS)) {
                controller.close();
            } else {
                LOG.warn("The node's controller does not stop; the next start undoes what it changed.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
