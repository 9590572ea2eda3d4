package org.interference.yarn.benchmarks.control;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.interference.yarn.nm.cgroup.ContainerGroups;
import org.interference.yarn.nm.cgroup.Disks;
import org.interference.yarn.nm.cgroup.KernelFiles;
import org.interference.yarn.nm.cgroup.NodeController;
import org.interference.yarn.nm.collect.IntpdCounterSource;
import org.interference.yarn.nm.collect.ListedContainer;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.collect.Sampler;
import org.interference.yarn.nm.control.Change;
import org.interference.yarn.nm.control.Controller;
import org.interference.yarn.signal.NodeReport;

/**
 * This machine as a node: process trees stand for containers, and the sampler and the controller are those of the plugin. The sampler
 * runs whether the controller is on or off, as it does on a NodeManager.
 */
final class Bed implements AutoCloseable, NodeController.Events {
    private static final Path PROC = Path.of("/proc");
    private static final Path SYS = Path.of("/sys");
    private static final Duration SAMPLING = Duration.ofSeconds(1);
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ProcFiles files = new ProcFiles(PROC, SYS);
    private final List<ListedContainer> listed = new CopyOnWriteArrayList<>();
    private final Path directory;
    private final List<String> disks;
    private final Sampler sampler;
    private long controllerNanos;
    private long controlledNanos;
    private long changes;
    private long stepsBack;

    /** What a run waits for. */
    interface Condition {
        boolean holds();
    }

    /**
     * @param directory on the disk that is shared
     * @param socket of an intpd that counts by eBPF: nothing else tells what process trees wait for and write
     */
    Bed(Path directory, Path socket) throws IOException {
        this.directory = directory;
        this.disks = Disks.under(List.of(directory), SYS);
        this.sampler = new Sampler(
                new IntpdCounterSource(socket, System::nanoTime, new ProcFiles(PROC, SYS)::startTicks),
                () -> listed,
                InstantSource.system(),
                System::nanoTime,
                new Silent(),
                Sampler.newThread());
        sampler.start(SAMPLING);
    }

    Path directory() {
        return directory;
    }

    void add(Task task) {
        add(task.listed());
    }

    void add(ListedContainer container) {
        listed.add(container);
    }

    void remove(Task task) {
        remove(task.id());
    }

    void remove(String id) {
        listed.removeIf(container -> container.id().equals(id));
    }

    /**
     * Waits until {@code end}, with the controller at work if there is one.
     *
     * @param interval from one tick of it to the next
     * @param act whether the controller makes its changes
     * @return how long it took
     */
    Duration await(Condition end, Duration interval, Optional<Controller> controller, boolean act) throws IOException {
        long start = System.nanoTime();
        Optional<ContainerGroups> groups = act
                ? Optional.of(ContainerGroups.open(
                        files, new KernelFiles(), Files.createTempFile("node-control", ".journal"), disks))
                : Optional.empty();
        Optional<NodeController> node = controller.map(decides -> new NodeController(
                decides, groups, sampler::newestSampled, () -> listed, files, disks, InstantSource.system(), this));
        long next = start + interval.toNanos();
        while (!end.holds()) {
            LockSupport.parkNanos(LOOK_NANOS);
            if (node.isPresent() && System.nanoTime() - next >= 0) {
                long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
                node.get().tick();
                controllerNanos += ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
                next += interval.toNanos();
            }
        }
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        if (node.isPresent()) {
            controlledNanos += took.toNanos();
            stepsBack += node.get().stepsBack();
            node.get().close();
        }
        return took;
    }

    /** Returns the controller's CPU time as a share of that of all CPUs. */
    double cpuFraction() {
        double all = (double) controlledNanos * Runtime.getRuntime().availableProcessors();
        return controllerNanos / all;
    }

    long changes() {
        return changes;
    }

    long stepsBack() {
        return stepsBack;
    }

    @Override
    public void changed(Change change) {
        changes++;
        System.out.println("    " + change);
    }

    @Override
    public void remarked(String remark) {
        System.out.println("    " + remark);
    }

    @Override
    public void failed(String what, Throwable cause) {
        throw new IllegalStateException(what, cause);
    }

    @Override
    public void close() {
        sampler.close();
    }

    private static final class Silent implements Sampler.Events {
        @Override
        public void published(NodeReport report) {}

        @Override
        public void failed(Throwable cause) {
            throw new IllegalStateException(cause);
        }

        @Override
        public void ended(Duration sinceItsFirstSample) {}
    }
}
