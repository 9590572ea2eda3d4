package org.interference.yarn.ingest;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.Signal;

/**
 * What presses on a node and is of none of its containers: daemons, a DataNode, neighbours on the host. Immutable.
 *
 * <p>Of the CPUs it is what is busy less what the containers use. Of the disks it is the node's requests in flight, times the share of the bytes that no
 * container has moved: the node's requests are counted from when they are queued and a container's from when the disk gets them, so the two
 * cannot be subtracted. A report in which a container that runs is not measured says nothing of it.
 *
 * <p>A container that has just begun, or a window of the node that is not quite a container's, looks like an outsider for a moment. So the least of
 * {@value #WINDOWS} reports in a row counts, and nothing below {@value #LEAST}: no node is without daemons.
 */
final class Outside {
    /** As a share of the node, of the disks in requests in flight. */
    static final double LEAST = 0.1;

    static final int WINDOWS = 5;

    static final Outside UNKNOWN = new Outside(new float[0], new float[0], Instant.MIN);

    /** Reports that are further apart are not in a row. */
    private static final Duration LONGEST_GAP = Duration.ofMinutes(1);

    /** The newest first; not a number where a report did not say it. */
    private final float[] cpu;

    private final float[] disk;
    private final Instant newest;
    private final InterferenceVector load;

    private Outside(float[] cpu, float[] disk, Instant newest) {
        this.cpu = cpu;
        this.disk = disk;
        this.newest = newest;
        this.load = load(least(cpu), least(disk));
    }

    /** @param cpu the least of them, not a number where too few are known; as {@code disk} */
    private static InterferenceVector load(float cpu, float disk) {
        if (!(cpu >= LEAST || disk >= LEAST)) {
            return InterferenceVector.EMPTY;
        }
        Map<Signal, Double> levels = new EnumMap<>(Signal.class);
        put(levels, Signal.CPU, cpu);
        put(levels, Signal.BLK, disk);
        return new InterferenceVector(levels);
    }

    private static void put(Map<Signal, Double> levels, Signal signal, float least) {
        if (least >= LEAST) {
            levels.put(signal, Math.min(least, signal.highest()));
        }
    }

    private static float least(float[] windows) {
        float least = windows.length < WINDOWS ? Float.NaN : Float.POSITIVE_INFINITY;
        for (float window : windows) {
            least = Math.min(least, window);
        }
        return least;
    }

    /** Returns the levels that are known and matter. */
    InterferenceVector load() {
        return load;
    }

    /**
     * Returns what is known after one more report.
     *
     * @param containers of the report; those of one that cannot be believed say nothing
     */
    Outside with(NodeFigures node, List<ContainerReport> containers, Instant receivedAt) {
        Outside before = newest.isBefore(receivedAt.minus(LONGEST_GAP)) ? UNKNOWN : this;
        OptionalDouble busy = node.value(NodeMetric.CPU);
        double used = busy.isEmpty() ? Double.NaN : sum(containers, Signal.CPU);
        if (Double.isNaN(used)) {
            return before;
        }
        return new Outside(
                pushed(before.cpu, Math.max(0, busy.getAsDouble() - used)),
                pushed(before.disk, diskRest(node, containers)),
                receivedAt);
    }

    private static double diskRest(NodeFigures node, List<ContainerReport> containers) {
        double inFlight = node.value(NodeMetric.DISK).orElse(Double.NaN);
        double bytes = node.value(NodeMetric.READB).orElse(Double.NaN)
                + node.value(NodeMetric.WRITEB).orElse(Double.NaN);
        // Mostly less is in flight than matters, and then nobody need be asked.
        if (inFlight < LEAST || bytes == 0) {
            return 0;
        }
        double theirs = sum(containers, Signal.READB) + sum(containers, Signal.WRITEB);
        return inFlight * Math.max(0, 1 - theirs / bytes);
    }

    /** Returns the sum of the newest levels; not a number if one that runs has none. */
    private static double sum(List<ContainerReport> containers, Signal signal) {
        double sum = 0;
        for (ContainerReport container : containers) {
            double level = container.level(signal);
            if (!Double.isNaN(level)) {
                sum += level;
            } else if (!container.ended()) {
                return Double.NaN;
            }
        }
        return sum;
    }

    private static float[] pushed(float[] before, double first) {
        float[] next = new float[Math.min(WINDOWS, before.length + 1)];
        next[0] = (float) first;
        System.arraycopy(before, 0, next, 1, next.length - 1);
        return next;
    }
}
