package org.interference.yarn.nm.collect;

import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.interference.yarn.signal.Signal;

/** The counts of one container since its first sample, and why others are missing. */
final class ProcContainer {
    /** What this source counts; it has no count of any other signal, whatever signals there are. */
    private static final EnumSet<Signal> COUNTED = EnumSet.of(Signal.CPU, Signal.CPUWAIT, Signal.BLK, Signal.BLKWAIT);

    private static final String NOT_IN_PROC = "/proc does not count it: it needs intpd";
    private static final String NO_SCHEDSTAT = "this kernel has no /proc/PID/schedstat";
    private static final String NO_DELAYACCT = "kernel.task_delayacct is not 1";
    private static final String NO_DISK = "no whole physical disk in /sys/block";
    private static final String NO_IO_PERMISSION =
            "/proc/PID/io of another user is not readable; it needs CAP_SYS_PTRACE";
    private static final String NO_PROCESS = "no process of the container is visible in /proc";

    private final ContainerLedger ledger = new ContainerLedger();
    private final Map<Signal, Count.Counted> sums = new EnumMap<>(Signal.class);
    private final Map<Signal, String> missing = new EnumMap<>(Signal.class);
    private OptionalLong lastCgroupNanos = OptionalLong.empty();
    private boolean everVisible;
    private boolean gone;
    private boolean byCgroup;

    /**
     * Adds one sample; the growth since the last one is empty for the first. CPU time is {@code cgroupNanos} where there is one: threads that
     * ended since the last sample are in it. A container whose processes are all gone is
     * not idle: it has no samples until it is launched again.
     */
    Optional<Growth> add(
            Collection<ProcessSample> processes, OptionalLong cgroupNanos, ProcNode node, boolean ioReadable) {
        gone = everVisible && processes.isEmpty();
        if (gone) {
            return Optional.empty();
        }
        everVisible |= !processes.isEmpty();
        byCgroup = cgroupNanos.isPresent();
        missing.clear();
        EnumSet.complementOf(COUNTED).forEach(signal -> missing.put(signal, NOT_IN_PROC));
        requires(node.schedCounted() || cgroupNanos.isPresent(), NO_SCHEDSTAT, Signal.CPU);
        requires(node.schedCounted(), NO_SCHEDSTAT, Signal.CPUWAIT);
        requires(node.blockDelayCounted(), NO_DELAYACCT, Signal.BLKWAIT);
        requires(ioReadable, NO_IO_PERMISSION, Signal.BLK);
        requires(node.disksCounted(), NO_DISK, Signal.BLK);
        requires(everVisible, NO_PROCESS, COUNTED.toArray(Signal[]::new));
        Optional<Growth> growth = ledger.add(processes, node.elapsedNanos());
        growth.ifPresent(grown -> {
            double elapsed = node.elapsedNanos();
            double onCpu = grown.onCpuNanos();
            double wait = grown.waitNanos();
            grow(Signal.CPU, cgroupGrowth(cgroupNanos, onCpu), elapsed * node.cpus());
            grow(Signal.CPUWAIT, wait, onCpu + wait);
            if (grown.blockDelayNanos().isPresent()) {
                double delay = grown.blockDelayNanos().getAsLong();
                grow(Signal.BLKWAIT, delay, elapsed);
            }
        });
        lastCgroupNanos = cgroupNanos;
        return growth;
    }

    /** In the window in which the group appears or goes, the threads' time counts. */
    private double cgroupGrowth(OptionalLong nanos, double otherwise) {
        return nanos.isPresent() && lastCgroupNanos.isPresent()
                ? Math.max(0, nanos.getAsLong() - lastCgroupNanos.getAsLong())
                : otherwise;
    }

    /** Adds the container's share of the disks' request time. */
    void addBlockTime(double nanos, long elapsedNanos) {
        double elapsed = elapsedNanos;
        grow(Signal.BLK, nanos, elapsed);
    }

    /** Whether none of its processes was left at the newest sample. */
    boolean isGone() {
        return gone;
    }

    Map<Signal, Count> counts() {
        EnumMap<Signal, Count> counts = new EnumMap<>(Signal.class);
        for (Signal signal : Signal.values()) {
            String reason = missing.get(signal);
            counts.put(signal, reason == null ? sum(signal) : new Count.NotCounted(reason, source(signal)));
        }
        return Collections.unmodifiableMap(counts);
    }

    private void requires(boolean met, String reason, Signal... signals) {
        for (Signal signal : signals) {
            if (!met) {
                missing.put(signal, reason);
            }
        }
    }

    private void grow(Signal signal, double used, double capacity) {
        Count.Counted sum = sum(signal);
        sums.put(
                signal,
                new Count.Counted(sum.used() + used, sum.capacity() + capacity, sum.apportioned(), source(signal)));
    }

    private Count.Counted sum(Signal signal) {
        return sums.getOrDefault(signal, new Count.Counted(0, 0, signal == Signal.BLK, source(signal)));
    }

    private String source(Signal signal) {
        return signal == Signal.CPU && byCgroup ? ProcCounterSource.CGROUP : ProcCounterSource.NAME;
    }
}
