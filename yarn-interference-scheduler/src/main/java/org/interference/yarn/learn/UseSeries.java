package org.interference.yarn.learn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * How the use of one container went, in at most {@value #MOST} steps of which each has its mean. Immutable; about 600 bytes.
 *
 * <p>It keeps some of the node's reports, whose means are of the whole life until then: {@code m1}, {@code m2} after {@code t1}, {@code t2} give
 * the step's mean {@code (m2 t2 - m1 t1) / (t2 - t1)}, as in {@link RunningTasks}. When it is full every second report goes, and steps are twice as
 * long from then on; nothing else is lost, as the steps' means add up to what was used in all.
 */
public final class UseSeries {
    /** What is kept, of what a resource monitor writes: CPUs, memory, bytes to and from disks, the network. */
    public static final List<Signal> SIGNALS =
            List.of(Signal.CPU, Signal.MEM, Signal.READB, Signal.WRITEB, Signal.NETP);

    static final int MOST = 24;
    private static final long SHORTEST_STEP_MILLIS = 10_000;

    private final long stepMillis;
    /** By the node's observed time, in ms; ascending. */
    private final long[] ends;
    /** Means since the beginning, of each report those of {@link #SIGNALS}; not a number where it was not measured. */
    private final float[] means;

    private UseSeries(long stepMillis, long[] ends, float[] means) {
        this.stepMillis = stepMillis;
        this.ends = ends;
        this.means = means;
    }

    /**
     * The mean use of one step.
     *
     * @param end since the container's first sample; the step begins where the one before ends, the first at 0
     * @param levels without those that were not measured
     */
    public record Step(Duration end, Map<Signal, Double> levels) {}

    /** Returns the series of a container that was reported once. */
    static UseSeries begin(ContainerReport report) {
        return new UseSeries(SHORTEST_STEP_MILLIS, new long[0], new float[0]).append(report);
    }

    /** Returns this with a newer report, or this if the last step is not over. */
    UseSeries with(ContainerReport report) {
        if (report.observed().toMillis() < last() + stepMillis) {
            return this;
        }
        return (ends.length < MOST ? this : halved()).append(report);
    }

    /** Returns this up to the container's last report. */
    UseSeries endedBy(ContainerReport report) {
        long end = report.observed().toMillis();
        if (end <= last()) {
            return this;
        }
        boolean isStep = end >= last() + stepMillis / 2 || ends.length == 1;
        UseSeries before = isStep ? this : kept(ends.length - 1);
        return (before.ends.length < MOST ? before : before.halved()).append(report);
    }

    private long last() {
        return ends.length == 0 ? 0 : ends[ends.length - 1];
    }

    private UseSeries append(ContainerReport report) {
        UseSeries longer = kept(ends.length + 1);
        longer.ends[ends.length] = report.observed().toMillis();
        InterferenceVector mean = report.mean();
        for (int i = 0; i < SIGNALS.size(); i++) {
            longer.means[ends.length * SIGNALS.size() + i] =
                    (float) mean.level(SIGNALS.get(i)).orElse(Double.NaN);
        }
        return longer;
    }

    /** Returns the first so many reports, and room for more. */
    private UseSeries kept(int count) {
        return new UseSeries(stepMillis, Arrays.copyOf(ends, count), Arrays.copyOf(means, count * SIGNALS.size()));
    }

    /** Keeps the second report of every two. */
    private UseSeries halved() {
        UseSeries half = new UseSeries(2 * stepMillis, new long[MOST / 2], new float[MOST / 2 * SIGNALS.size()]);
        for (int i = 0; i < MOST / 2; i++) {
            half.ends[i] = ends[2 * i + 1];
            System.arraycopy(means, (2 * i + 1) * SIGNALS.size(), half.means, i * SIGNALS.size(), SIGNALS.size());
        }
        return half;
    }

    /** Returns the steps, the first one first. */
    public List<Step> steps() {
        List<Step> steps = new ArrayList<>(ends.length);
        for (int step = 0; step < ends.length; step++) {
            Map<Signal, Double> levels = new EnumMap<>(Signal.class);
            for (int i = 0; i < SIGNALS.size(); i++) {
                OptionalDouble level = level(step, i);
                if (level.isPresent()) {
                    levels.put(SIGNALS.get(i), level.getAsDouble());
                }
            }
            steps.add(new Step(Duration.ofMillis(ends[step]), levels));
        }
        return steps;
    }

    private OptionalDouble level(int step, int signal) {
        double mean = means[step * SIGNALS.size() + signal];
        double before = step == 0 ? 0 : means[(step - 1) * SIGNALS.size() + signal];
        long from = step == 0 ? 0 : ends[step - 1];
        double level = step == 0 ? mean : (mean * ends[step] - before * from) / (ends[step] - from);
        return Double.isNaN(level)
                ? OptionalDouble.empty()
                : OptionalDouble.of(Math.min(SIGNALS.get(signal).highest(), Math.max(0, level)));
    }
}
