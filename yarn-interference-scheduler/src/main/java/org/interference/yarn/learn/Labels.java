package org.interference.yarn.learn;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.interference.yarn.signal.Signal;

/** How slow a finished task was, from what its profile knows of its kind alone. Pure. */
public final class Labels {
    /** Fewer runs alone say nothing of their variance. */
    private static final long LEAST_RUNS_ALONE = 3;
    /** With a larger coefficient of variation a run time says more of the task's input than of its neighbours. */
    private static final double MOST_VARIATION = 0.10;
    /** The variation at which a run time counts half. */
    private static final double HALF_WEIGHT_VARIATION = 0.05;
    /**
     * Memory and caches that are shared cost processor time themselves, and that slowdown is not seen; what was in the page cache was not read. Both weigh alike:
     * a model would else be made for those who wait.
     */
    private static final double USE_WEIGHT = 0.25;
    /** What spins while it waits executes instructions, too. */
    private static final double INSTRUCTIONS_WEIGHT = 0.5;
    /** The application's word, which nobody can check but by its processor time. */
    private static final double PROGRESS_WEIGHT = 0.5;
    /** By so much memory and caches may make processor time more expensive than it is undisturbed; further nobody's word is believed. */
    private static final double MOST_BY_MEMORY = 4;

    private static final double TOLERANCE = 0.9;
    /** No neighbours are taken to do more: who is so much slower than his kind has waited for something else. */
    private static final double MOST = 100;

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
     * @param waiting by what its work shows if it mostly waits, see {@link WorkRates#ofWaiting}
     * @param slowdowns by how much faster its kind gets on undisturbed, by each of {@link WorkRates#MEASURES}; empty where one of both is not known
     */
    static Optional<Label> of(
            double seconds, Alone alone, Optional<Signal> waiting, Function<Signal, OptionalDouble> slowdowns) {
        return byRunTime(seconds, alone)
                .filter(label -> isPossible(label, slowdowns.apply(Signal.CPU)))
                .or(() -> byRate(waiting, slowdowns));
    }

    /** Returns the best label of a task of whose run time nothing is known, as above. */
    public static Optional<Label> byRate(Optional<Signal> waiting, Function<Signal, OptionalDouble> slowdowns) {
        return waiting.flatMap(measure -> label(slowdowns.apply(measure), Label.Source.WORK_RATE, USE_WEIGHT))
                .or(() -> byInstructions(slowdowns.apply(Signal.INSTR), slowdowns.apply(Signal.CPU)))
                .or(() -> byProgress(slowdowns.apply(Signal.PROGRESS), slowdowns.apply(Signal.CPU)))
                .or(() -> byCpuTime(slowdowns.apply(Signal.CPU)));
    }

    /** Whoever ran for longer than memory and caches can make of its processor time had more to do, or waited for something else. */
    private static boolean isPossible(Label byRunTime, OptionalDouble cpu) {
        return byRunTime.slowdown() <= MOST
                && (cpu.isEmpty() || byRunTime.slowdown() <= MOST_BY_MEMORY * Math.max(1, cpu.getAsDouble()));
    }

    /** Returns what the instructions say, if they do not say more than memory and caches can do beside its processor time: who is idle executes none, and is not slow. */
    private static Optional<Label> byInstructions(OptionalDouble instructions, OptionalDouble cpu) {
        boolean possible = instructions.isPresent()
                && (cpu.isEmpty() || instructions.getAsDouble() <= MOST_BY_MEMORY * cpu.getAsDouble());
        return possible ? label(instructions, Label.Source.WORK_RATE, INSTRUCTIONS_WEIGHT) : Optional.empty();
    }

    /**
     * Returns what the application says of its progress, if its processor time does not contradict: the processor time that a piece of work
     * needs is hardly ever less than undisturbed, and memory and caches make it {@value #MOST_BY_MEMORY} times as much at most.
     */
    private static Optional<Label> byProgress(OptionalDouble progress, OptionalDouble cpu) {
        if (progress.isEmpty() || cpu.isEmpty()) {
            return Optional.empty();
        }
        double byMemory = progress.getAsDouble() / cpu.getAsDouble();
        return byMemory >= TOLERANCE && byMemory <= MOST_BY_MEMORY
                ? label(progress, Label.Source.WORK_RATE, PROGRESS_WEIGHT)
                : Optional.empty();
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
     * Returns the label of a task by the CPU that its kind uses undisturbed over what it has used, {@code slowdown}: the processor time that its work
     * needs is the same, and what it waits for makes it longer, whatever its input. Empty if that is not known.
     */
    private static Optional<Label> byCpuTime(OptionalDouble slowdown) {
        return label(slowdown, Label.Source.CPU_TIME, USE_WEIGHT);
    }

    private static Optional<Label> label(OptionalDouble slowdown, Label.Source source, double weight) {
        return slowdown.isPresent() && slowdown.getAsDouble() <= MOST
                ? Optional.of(new Label(slowdown.getAsDouble(), source, weight))
                : Optional.empty();
    }
}
