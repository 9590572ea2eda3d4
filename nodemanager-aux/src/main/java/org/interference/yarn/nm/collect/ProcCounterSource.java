package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.interference.yarn.nm.attribute.ProcessTable;
import org.interference.yarn.signal.Signal;

/**
 * Counts from {@code /proc} alone, without privileges or a daemon: CPU, run-queue wait, block I/O wait, and a share of
 * the disks' request time. CPU time is the control group's where YARN has made one for the container, else the threads'. What {@code /proc} does not know is not counted, with the reason.
 */
public final class ProcCounterSource implements CounterSource {
    static final String NAME = "proc";

    /** What CPU time is counted by where YARN has made a control group for the container. */
    static final String CGROUP = "cgroup";

    private final ProcFiles files;
    private final ContainerMembers members;
    private final CgroupCpu cgroupCpu;
    private final LongSupplier nanoTime;
    private final BlockShares blockShares = new BlockShares();
    private final Map<String, ProcContainer> containers = new HashMap<>();
    private Map<String, DiskCounts> lastDisks = Map.of();
    private OptionalLong lastNanos = OptionalLong.empty();

    /**
     * @param proc where the process file system is mounted
     * @param sys where sysfs is mounted
     * @param nanoTime a monotonic clock, as {@link System#nanoTime}
     */
    public ProcCounterSource(Path proc, Path sys, LongSupplier nanoTime) {
        this.files = new ProcFiles(proc, sys);
        this.members = new ContainerMembers(files);
        this.cgroupCpu = new CgroupCpu(files);
        this.nanoTime = nanoTime;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Map<String, Map<Signal, Count>> snapshot(Collection<WatchedContainer> watched) throws IOException {
        containers.keySet().retainAll(watched.stream().map(WatchedContainer::id).toList());
        trySample(watched);
        Map<String, Map<Signal, Count>> counts = new HashMap<>();
        containers.forEach((id, container) -> {
            if (!container.isGone()) {
                counts.put(id, container.counts());
            }
        });
        return counts;
    }

    private void trySample(Collection<WatchedContainer> watched) throws IOException {
        boolean complete = false;
        try {
            sample(watched);
            complete = true;
        } finally {
            if (!complete) {
                // Half a sample would book a window twice; the next one is the baseline of everything.
                containers.clear();
                lastDisks = Map.of();
                lastNanos = OptionalLong.empty();
            }
        }
    }

    private void sample(Collection<WatchedContainer> watched) throws IOException {
        Set<String> disks = files.wholeDisks();
        ProcessTable table = ProcessTable.of(files.processes());
        Map<String, Set<Long>> processes = members.of(watched, table);
        Map<String, Growth> growths = new HashMap<>();
        String mountInfo = files.mountInfo();
        // Only now: listing the processes takes long on a busy node, and the counts are read after it.
        long now = nanoTime.getAsLong();
        long elapsed = lastNanos.isPresent() ? now - lastNanos.getAsLong() : 0;
        if (lastNanos.isPresent() && elapsed <= 0) {
            return;
        }
        ProcNode node = new ProcNode(
                elapsed, files.onlineCpus(), files.hasSchedStat(), files.hasBlockDelay(), !disks.isEmpty());
        for (WatchedContainer container : watched) {
            ProcContainer known = containers.computeIfAbsent(container.id(), id -> new ProcContainer());
            List<ProcessSample> samples = new ArrayList<>();
            boolean ioReadable = true;
            for (long pid : processes.get(container.id())) {
                OptionalLong startTicks = table.startTicks(pid);
                if (startTicks.isEmpty()) {
                    continue;
                }
                Optional<IoCounts> io = Optional.empty();
                try {
                    io = files.io(pid);
                } catch (AccessDeniedException e) {
                    ioReadable = false;
                }
                samples.add(new ProcessSample(
                        pid, startTicks.getAsLong(), files.threads(pid, node.blockDelayCounted()), io));
            }
            known.add(samples, cgroupCpu.nanos(container, mountInfo), node, ioReadable)
                    .ifPresent(growth -> growths.put(container.id(), growth));
        }
        addBlockTime(disks, growths, elapsed);
        lastNanos = OptionalLong.of(now);
    }

    private void addBlockTime(Set<String> disks, Map<String, Growth> growths, long elapsed) throws IOException {
        Map<String, DiskCounts> now = DiskCounts.parse(files.diskStats(), disks);
        DiskCounts growth = DiskCounts.growth(lastDisks, now);
        lastDisks = now;
        blockShares
                .apportion(growth, growths, elapsed)
                .forEach((id, nanos) -> containers.get(id).addBlockTime(nanos, elapsed));
    }
}
