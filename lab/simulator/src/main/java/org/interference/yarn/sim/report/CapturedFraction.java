package org.interference.yarn.sim.report;

import java.util.Optional;
import java.util.stream.IntStream;
import org.interference.yarn.lab.stats.Interval;

/**
 * What part of the advantage that knowing everything has over knowing nothing somebody has: (placebo - ours) / (placebo -
 * greedy) of the mean costs. Its interval is by the jackknife (Quenouille 1956, Tukey 1958). Pure.
 */
final class CapturedFraction {
    private final double[] placebo;
    private final double[] ours;
    private final double[] greedy;

    private CapturedFraction(double[] placebo, double[] ours, double[] greedy) {
        this.placebo = placebo;
        this.ours = ours;
        this.greedy = greedy;
    }

    /**
     * Returns it, of costs by seed, two seeds at least; empty where the greedy does not clearly (95 %, paired) gain anything over
     * the placebo, so that there is nothing to have a part of.
     */
    static Optional<Interval> of(double[] placebo, double[] ours, double[] greedy) {
        int seeds = ours.length;
        Interval possible = Interval.of(IntStream.range(0, seeds)
                .mapToDouble(seed -> (placebo[seed] - greedy[seed]) / placebo[seed])
                .toArray());
        return possible.low() <= 0
                ? Optional.empty()
                : Optional.of(new CapturedFraction(placebo, ours, greedy).jackknife(seeds));
    }

    private Interval jackknife(int seeds) {
        double all = without(seeds);
        double half = Interval.of(IntStream.range(0, seeds)
                        .mapToDouble(seed -> seeds * all - (seeds - 1) * without(seed))
                        .toArray())
                .halfWidth();
        return new Interval(all, all - half, all + half);
    }

    /** Returns the fraction without one seed; of all of them if there is none of that number. */
    private double without(int seed) {
        return (sum(placebo, seed) - sum(ours, seed)) / (sum(placebo, seed) - sum(greedy, seed));
    }

    private static double sum(double[] values, int without) {
        return IntStream.range(0, values.length)
                .filter(seed -> seed != without)
                .mapToDouble(seed -> values[seed])
                .sum();
    }
}
