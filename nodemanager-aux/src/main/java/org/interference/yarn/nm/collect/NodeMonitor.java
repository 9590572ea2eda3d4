package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.interference.yarn.nm.attribute.Fields;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.Untold;

/**
 * What a node says of itself, from files of {@code /proc} that every user may read. Rates and shares are of the time since the last look, so
 * the first look has none. A file that is not there, or a count that went back, leaves out what it would have told. Not thread-safe.
 */
public final class NodeMonitor {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final int BYTES_PER_KIB = 1024;

    /** Of the line {@code cpu} of {@code /proc/stat}: user, nice, system, idle, iowait, irq, softirq, steal. */
    private static final int CPU_FIELDS = 8;

    private static final int IDLE = 3;
    private static final int IOWAIT = 4;
    private static final int IRQ = 5;
    private static final int SOFTIRQ = 6;
    private static final int STEAL = 7;

    private final ProcFiles files;
    private final DiskSpace space;
    private final NodeCapacities capacities;
    private final LongSupplier nanoTime;
    private Counts last = new Counts();

    /**
     * @param space of the local directories' disks
     * @param nanoTime a monotonic clock, as {@link System#nanoTime}
     */
    public NodeMonitor(ProcFiles files, DiskSpace space, NodeCapacities capacities, LongSupplier nanoTime) {
        this.files = files;
        this.space = space;
        this.capacities = capacities;
        this.nanoTime = nanoTime;
    }

    /** What counts up, at one look. */
    private static final class Counts {
        private long nanos;
        private boolean taken;
        private long[] cpu = {};
        private final Map<NodeMetric, Double> sums = new EnumMap<>(NodeMetric.class);
        private Map<String, DiskCounts> disks = Map.of();
    }

    /** Looks at the node; never throws, since containers are reported whatever it says of itself. */
    public NodeFigures look() {
        try {
            return read();
        } catch (Throwable e) {
            // An error, too: at the next look it may be over.
            return NodeFigures.EMPTY;
        }
    }

    private NodeFigures read() throws IOException {
        Counts now = new Counts();
        Map<NodeMetric, Double> told = new EnumMap<>(NodeMetric.class);
        Map<NodeMetric, Untold> untold = new EnumMap<>(NodeMetric.class);
        now.nanos = nanoTime.getAsLong();
        now.taken = true;
        readStat(now, told);
        readFaults(now);
        readMemory(told);
        readThreads(told);
        readPressures(now);
        now.disks = DiskCounts.parse(files.diskStats(), files.wholeDisks());
        space.fullest().ifPresent(fullest -> told.put(NodeMetric.SPACE, fullest));
        told.put(NodeMetric.CPUS, (double) files.onlineCpus());
        capacities.tell(now.nanos, told, untold);
        if (last.taken && now.nanos > last.nanos) {
            tellGrowth(last, now, told);
        }
        last = now;
        return new NodeFigures(told, untold);
    }

    private void readStat(Counts now, Map<NodeMetric, Double> told) throws IOException {
        for (String line : files.file("stat").lines().toList()) {
            String[] words = line.split(" +", -1);
            switch (words[0]) {
                case "cpu" ->
                    now.cpu = Arrays.stream(words)
                            .skip(1)
                            .limit(CPU_FIELDS)
                            .mapToLong(word -> Fields.number(word, 0, 0))
                            .toArray();
                case "ctxt" -> put(now.sums, NodeMetric.SWITCHES, words);
                case "intr" -> put(now.sums, NodeMetric.INTERRUPTS, words);
                case "procs_running" -> put(told, NodeMetric.RUNNABLE, words);
                case "procs_blocked" -> put(told, NodeMetric.BLOCKED, words);
                default -> {}
            }
        }
    }

    private static void put(Map<NodeMetric, Double> into, NodeMetric metric, String[] words) {
        long number = words.length > 1 ? Fields.number(words[1], 0, 0) : -1;
        if (number >= 0) {
            into.put(metric, (double) number);
        }
    }

    private void readFaults(Counts now) throws IOException {
        String text = files.file("vmstat");
        KernelText.named(text, "pgfault ").ifPresent(faults -> now.sums.put(NodeMetric.FAULTS, (double) faults));
        KernelText.named(text, "pgmajfault ")
                .ifPresent(faults -> now.sums.put(NodeMetric.MAJORFAULTS, (double) faults));
    }

    private void readMemory(Map<NodeMetric, Double> told) throws IOException {
        String text = files.file("meminfo");
        OptionalLong total = KernelText.named(text, "MemTotal:");
        OptionalLong available = KernelText.named(text, "MemAvailable:");
        if (total.isPresent() && total.getAsLong() > 0) {
            told.put(NodeMetric.MEMORYBYTES, (double) total.getAsLong() * BYTES_PER_KIB);
            available.ifPresent(
                    free -> told.put(NodeMetric.MEMORY, Math.max(0, 1 - (double) free / total.getAsLong())));
        }
    }

    /** The fourth word of {@code /proc/loadavg}: running/all. */
    private void readThreads(Map<NodeMetric, Double> told) throws IOException {
        String[] words = files.file("loadavg").split(" ", -1);
        int slash = words.length > 3 ? words[3].indexOf('/') : -1;
        long threads = slash < 0 ? -1 : Fields.number(words[3], slash + 1, 0);
        if (threads >= 0) {
            told.put(NodeMetric.THREADS, (double) threads);
        }
    }

    private void readPressures(Counts now) throws IOException {
        String io = files.file("pressure/io");
        String memory = files.file("pressure/memory");
        stalled(files.file("pressure/cpu"), KernelText.SOME).ifPresent(time -> now.sums.put(NodeMetric.PSICPU, time));
        stalled(io, KernelText.SOME).ifPresent(time -> now.sums.put(NodeMetric.PSIIO, time));
        stalled(io, KernelText.FULL).ifPresent(time -> now.sums.put(NodeMetric.PSIIOF, time));
        stalled(memory, KernelText.SOME).ifPresent(time -> now.sums.put(NodeMetric.PSIMEM, time));
        stalled(memory, KernelText.FULL).ifPresent(time -> now.sums.put(NodeMetric.PSIMEMF, time));
    }

    /** Seconds, so that its growth a second is a share. */
    private static OptionalDouble stalled(String text, String kind) {
        OptionalLong micros = KernelText.stalledMicros(text, kind);
        return micros.isPresent()
                ? OptionalDouble.of(micros.getAsLong() * NANOS_PER_MICRO / NANOS_PER_SECOND)
                : OptionalDouble.empty();
    }

    private static void tellGrowth(Counts before, Counts now, Map<NodeMetric, Double> told) {
        double seconds = (now.nanos - before.nanos) / NANOS_PER_SECOND;
        now.sums.forEach((metric, sum) -> {
            Double earlier = before.sums.get(metric);
            if (earlier != null && sum >= earlier) {
                double rate = (sum - earlier) / seconds;
                told.put(metric, metric.unit() == NodeMetric.Unit.SHARE ? Math.min(1, rate) : rate);
            }
        });
        tellCpu(before.cpu, now.cpu, told);
        if (!before.disks.isEmpty() && !now.disks.isEmpty()) {
            DiskCounts grown = DiskCounts.growth(before.disks, now.disks);
            told.put(NodeMetric.READS, grown.reads() / seconds);
            told.put(NodeMetric.WRITES, grown.writes() / seconds);
            told.put(NodeMetric.READB, grown.readBytes() / seconds);
            told.put(NodeMetric.WRITEB, grown.writtenBytes() / seconds);
            told.put(
                    NodeMetric.DISK,
                    (grown.readMillis() + grown.writeMillis()) * NANOS_PER_MILLI / (now.nanos - before.nanos));
        }
    }

    private static void tellCpu(long[] before, long[] now, Map<NodeMetric, Double> told) {
        if (before.length < CPU_FIELDS || now.length < CPU_FIELDS) {
            return;
        }
        long[] grown = new long[CPU_FIELDS];
        long all = 0;
        for (int i = 0; i < CPU_FIELDS; i++) {
            grown[i] = Math.max(0, now[i] - before[i]);
            all += grown[i];
        }
        if (all > 0) {
            told.put(NodeMetric.CPU, 1 - (double) (grown[IDLE] + grown[IOWAIT] + grown[STEAL]) / all);
            told.put(NodeMetric.IRQ, (double) (grown[IRQ] + grown[SOFTIRQ]) / all);
            told.put(NodeMetric.STEAL, (double) grown[STEAL] / all);
        }
    }
}
