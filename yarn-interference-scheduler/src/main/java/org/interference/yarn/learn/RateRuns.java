package org.interference.yarn.learn;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * How fast runs of one kind of task got on, by one measure. Immutable.
 *
 * @param alone how many runs had nobody beside them, with {@code aloneLogs} the sum of the logarithms of their rates; both fade by
 *     {@value #FADING} with each
 * @param disturbed the rates of the newest runs with somebody beside, at most {@value #MOST_RUNS}, oldest first
 */
public record RateRuns(double alone, double aloneLogs, List<Double> disturbed) {
    static final RateRuns NONE = new RateRuns(0, 0, List.of());
    /** Fewer runs that were disturbed say nothing. */
    static final int LEAST_RUNS = 10;

    private static final int MOST_RUNS = 64;
    /** Neighbours only take from a task: where runs beside some get on so much better than it did alone, its kind is no longer the same. */
    private static final double MOST_BEYOND_ALONE = 1.5;

    private static final double FADING = 0.99;

    /** @throws IllegalArgumentException if a figure is not finite, {@code alone} is negative, or a rate not above 0 */
    public RateRuns {
        disturbed = List.copyOf(disturbed);
        if (!(alone >= 0 && alone <= Double.MAX_VALUE) || !Double.isFinite(aloneLogs)) {
            throw new IllegalArgumentException("sums must be finite, got %s and %s".formatted(alone, aloneLogs));
        }
        if (disturbed.size() > MOST_RUNS
                || !disturbed.stream().allMatch(rate -> rate > 0 && rate <= Double.MAX_VALUE)) {
            throw new IllegalArgumentException(
                    "there must be at most %d rates above 0, got %s".formatted(MOST_RUNS, disturbed));
        }
    }

    RateRuns withAlone(double rate) {
        return new RateRuns(FADING * alone + 1, FADING * aloneLogs + Math.log(rate), disturbed);
    }

    RateRuns withDisturbed(double rate) {
        List<Double> next =
                new ArrayList<>(disturbed.subList(Math.max(0, disturbed.size() + 1 - MOST_RUNS), disturbed.size()));
        next.add(rate);
        return new RateRuns(alone, aloneLogs, next);
    }

    /** Returns the rate of an undisturbed run; empty as long as too little is known. */
    OptionalDouble undisturbed() {
        OptionalDouble frontier = frontier();
        if (alone == 0) {
            return frontier;
        }
        double mean = Math.exp(aloneLogs / alone);
        return frontier.orElse(0) > MOST_BEYOND_ALONE * mean ? frontier : OptionalDouble.of(mean);
    }

    /** The second highest of the newest: the highest may be a wrong measurement. */
    private OptionalDouble frontier() {
        return disturbed.size() < LEAST_RUNS
                ? OptionalDouble.empty()
                : OptionalDouble.of(disturbed.stream().sorted().toList().get(disturbed.size() - 2));
    }
}
