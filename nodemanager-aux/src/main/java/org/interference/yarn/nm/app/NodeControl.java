package org.interference.yarn.nm.app;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.interference.yarn.nm.cgroup.ContainerGroups;
import org.interference.yarn.nm.cgroup.Disks;
import org.interference.yarn.nm.cgroup.KernelFiles;
import org.interference.yarn.nm.cgroup.NodeController;
import org.interference.yarn.nm.collect.ListedContainer;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.control.Change;
import org.interference.yarn.nm.control.Controller;
import org.interference.yarn.nm.control.CoreSet;
import org.interference.yarn.nm.heartbeat.Failures;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.ControlStatus;
import org.interference.yarn.signal.NodeReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's controller on a thread of its own. After each tick the thread rests {@value #REST} times what the tick took of a CPU, and
 * at least an interval. Whatever goes wrong, containers run on as YARN started them.
 */
final class NodeControl implements NodeControlMXBean, NodeController.Events, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NodeControl.class);
    private static final String NAME = "Hadoop:service=NodeManager,name=InterferenceNodeControl,instance=";
    private static final String JOURNAL = "interference-node-control.journal";
    private static final Path RESCTRL = Path.of("/sys/fs/resctrl");
    private static final int MOST_CHANGES = 100;
    private static final int REST = 500;
    private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

    private final NodeControlSettings settings;
    private final Failures failures = new Failures(LOG);
    private final NodeController controller;
    private final ScheduledExecutorService thread;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Deque<String> changes = new ArrayDeque<>();
    private Optional<RegisteredBean> bean = Optional.empty();

    private NodeControl(
            NodeControlSettings settings,
            List<Path> localDirectories,
            Supplier<Optional<NodeReport>> newest,
            Supplier<? extends Collection<ListedContainer>> containers)
            throws IOException {
        this.settings = settings;
        ProcFiles files = new ProcFiles(Path.of("/proc"), Path.of("/sys"));
        List<String> disks = Disks.under(localDirectories, Path.of("/sys"));
        CoreSet cores = CoreSet.parse(files.allowedCores());
        controller = new NodeController(
                new Controller(settings.control(), cores),
                settings.mode() == NodeControlSettings.Mode.ON
                        ? Optional.of(groups(files, localDirectories, disks))
                        : Optional.empty(),
                newest,
                containers,
                files,
                disks,
                files.onlineCpus(),
                InstantSource.system(),
                this);
        thread = new ScheduledThreadPoolExecutor(1, work -> {
            Thread daemon = new Thread(work, "interference-node-control");
            daemon.setDaemon(true);
            return daemon;
        });
    }

    /**
     * Undoes what an earlier NodeManager left behind, whatever the mode is now, and starts the controller if it is not off. What goes
     * wrong is noted, and costs only the controller.
     */
    static Optional<NodeControl> start(
            NodeControlSettings settings,
            List<Path> localDirectories,
            Supplier<Optional<NodeReport>> newest,
            Supplier<? extends Collection<ListedContainer>> containers) {
        try {
            if (settings.mode() != NodeControlSettings.Mode.ON) {
                undoLeftovers(localDirectories);
            }
            if (settings.mode() == NodeControlSettings.Mode.OFF) {
                return Optional.empty();
            }
            NodeControl control = new NodeControl(settings, localDirectories, newest, containers);
            control.bean = RegisteredBean.register(control, NodeControlMXBean.class, NAME, control.failures);
            control.thread.execute(control::tick);
            LOG.info(
                    "This node's containers are controlled every {} ({}).",
                    settings.control().interval(),
                    control.getMode());
            return Optional.of(control);
        } catch (IOException | RuntimeException e) {
            LOG.error("This node's containers are not controlled.", e);
            return Optional.empty();
        }
    }

    private static void undoLeftovers(List<Path> localDirectories) throws IOException {
        Path journal = journal(localDirectories);
        if (Files.exists(journal)) {
            ProcFiles files = new ProcFiles(Path.of("/proc"), Path.of("/sys"));
            groups(files, localDirectories, List.of()).close();
            Files.delete(journal);
        }
    }

    private static ContainerGroups groups(ProcFiles files, List<Path> localDirectories, List<String> disks)
            throws IOException {
        Optional<Path> resctrl = Optional.of(RESCTRL).filter(root -> Files.exists(root.resolve("schemata")));
        return ContainerGroups.open(files, new KernelFiles(), journal(localDirectories), disks, resctrl);
    }

    private static Path journal(List<Path> localDirectories) throws IOException {
        if (localDirectories.isEmpty()) {
            throw new IOException("there is no local directory for the journal");
        }
        return localDirectories.get(0).resolve(JOURNAL);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // tick() catches everything, so the future has nothing to tell.
    private void tick() {
        long before = threads.getCurrentThreadCpuTime();
        controller.tick();
        long cost = Math.max(0, threads.getCurrentThreadCpuTime() - before);
        long rest = Math.max(settings.control().interval().toNanos(), REST * cost);
        try {
            thread.schedule(this::tick, rest, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Closed.
        }
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
        return new NodeReport(report.incarnation(), report.sequence(), report.measuredAt(), containers);
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
        } else if (change instanceof Change.Disk disk) {
            what = disk.bytesPerSecond().isPresent()
                    ? "limit the disks to %d bytes/s"
                            .formatted(disk.bytesPerSecond().getAsLong())
                    : "free the disks";
        } else {
            what = ((Change.Cache) change).percent().isPresent() ? "confine the cache" : "give back the cache";
        }
        return "%s: %s (%s)".formatted(change.container(), what, change.reason());
    }

    @Override
    public void remarked(String remark) {
        LOG.warn("Node control: {}.", remark);
    }

    @Override
    public void failed(String what, Exception cause) {
        failures.note(what, cause);
    }

    @Override
    public String getMode() {
        return settings.mode().name().toLowerCase(Locale.ROOT).replace('_', '-');
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
