package org.interference.yarn.learn;

import java.util.Optional;
import java.util.OptionalDouble;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/** How slow a finished task was, from what its profile knows of its kind alone. Pure. */
public final class Labels {
    /** Fewer runs alone say nothing of their variance. */
    private static final long LEAST_RUNS_ALONE = 3;
    /** With a larger coefficient of variation a run time says more of the task's input than of its neighbours. */
    private static final double MOST_VARIATION = 0.10;
    /** The variation at which a run time counts half. */
    private static final double HALF_WEIGHT_VARIATION = 0.05;
    /** Waiting that is not on the critical path counts in full, so the label is rough. */
    private static final double STALLS_WEIGHT = 0.25;
    /** Several threads wait for more than the whole time; of one of them at least this is left. */
    private static final double LEAST_GOING = 0.02;

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
     * @param mean its levels over that time
     * @param undisturbed the levels of its kind with nobody beside; empty if that was never seen
     */
    public static Optional<Label> of(
            double seconds, InterferenceVector mean, Alone alone, Optional<InterferenceVector> undisturbed) {
        return byRunTime(seconds, alone).or(() -> undisturbed.flatMap(levels -> byStalls(mean, levels)));
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
     * Returns the share of time in which the task got on when undisturbed over that now. Of its time on or waiting for a
     * processor it waits {@code w} (cpuwait), and for disks {@code d} of all of it (blkwait), so that it gets on for {@code (1 -
     * w)(1 - d)}. Empty if neither is known of both.
     */
    static Optional<Label> byStalls(InterferenceVector mean, InterferenceVector undisturbed) {
        double slowdown = 1;
        boolean known = false;
        for (Signal wait : new Signal[] {Signal.CPUWAIT, Signal.BLKWAIT}) {
            OptionalDouble now = mean.level(wait);
            OptionalDouble then = undisturbed.level(wait);
            if (now.isPresent() && then.isPresent()) {
                known = true;
                slowdown *= going(then.getAsDouble()) / going(now.getAsDouble());
            }
        }
        return known ? Optional.of(new Label(slowdown, Label.Source.STALLS, STALLS_WEIGHT)) : Optional.empty();
    }

    private static double going(double waiting) {
        return Math.max(LEAST_GOING, 1 - waiting);
    }
}
