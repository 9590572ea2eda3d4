package org.interference.yarn.learn;

import java.util.Optional;
import java.util.OptionalDouble;

/** How slow a finished task was, from what its profile knows of its kind alone. Pure. */
public final class Labels {
    /** Fewer runs alone say nothing of their variance. */
    private static final long LEAST_RUNS_ALONE = 3;
    /** With a larger coefficient of variation a run time says more of the task's input than of its neighbours. */
    private static final double MOST_VARIATION = 0.10;
    /** The variation at which a run time counts half. */
    private static final double HALF_WEIGHT_VARIATION = 0.05;
    /** Memory and caches that are shared cost processor time themselves, and that slowdown is not seen. */
    private static final double CPU_TIME_WEIGHT = 0.25;
    /** Below this level of a node nothing but noise is left. */
    static final double LEAST_CPU = 0.001;

    private Labels() {}

    /**
     * The run times of a kind of task when nobody disturbed it, in seconds.
     *
     * @param deviation the sample standard deviation
     */
    public record Alone(double mean, double deviation, long runs) {
        /** It never ran alone. */
        public static final Alone NEVER = new Alone(0, 0, 0);
    }

    /**
     * Returns the best label that there is.
     *
     * @param seconds how long the task ran
     * @param cpu the mean share of the reference node's processors that it used; empty if nobody measured it
     * @param undisturbed what its kind uses with nobody beside; empty if that is not known
     */
    public static Optional<Label> of(double seconds, OptionalDouble cpu, Alone alone, OptionalDouble undisturbed) {
        return byRunTime(seconds, alone).or(() -> byCpuTime(cpu, undisturbed));
    }

    /** Returns the run time over that alone; empty if the kind's run times alone are too few, or vary too much. */
    static Optional<Label> byRunTime(double seconds, Alone alone) {
        if (alone.runs() < LEAST_RUNS_ALONE || !(alone.mean() > 0) || !(seconds > 0)) {
            return Optional.empty();
        }
        double variation = alone.deviation() / alone.mean();
        if (variation > MOST_VARIATION) {
            return Optional.empty();
        }
        double relative = variation / HALF_WEIGHT_VARIATION;
        return Optional.of(new Label(seconds / alone.mean(), Label.Source.RUN_TIME, 1 / (1 + relative * relative)));
    }

    /**
     * Returns the CPU that such a task uses undisturbed over what it has used: the processor time that its work needs is the same, and
     * what it waits for makes it longer, whatever its input. Empty if one of both is not known.
     */
    public static Optional<Label> byCpuTime(OptionalDouble cpu, OptionalDouble undisturbed) {
        return cpu.isPresent() && cpu.getAsDouble() >= LEAST_CPU && undisturbed.isPresent()
                ? Optional.of(new Label(
                        undisturbed.getAsDouble() / cpu.getAsDouble(), Label.Source.CPU_TIME, CPU_TIME_WEIGHT))
                : Optional.empty();
    }
}
