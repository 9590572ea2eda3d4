package org.interference.yarn.sim.report;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;

/**
 * A mean and its 95 % interval by Student's t. Immutable.
 *
 * @param low equal to the mean, as {@code high} is, for a single value
 */
public record Interval(double mean, double low, double high) {
    private static final double UPPER = 0.975;

    /** Returns the interval of the mean of {@code values}, of which there is at least one. */
    public static Interval of(double[] values) {
        int n = values.length;
        double mean = Arrays.stream(values).average().orElseThrow();
        if (n == 1) {
            return new Interval(mean, mean, mean);
        }
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        double error = Math.sqrt(squares / (n - 1) / n);
        double half = new TDistribution(null, n - 1).inverseCumulativeProbability(UPPER) * error;
        return new Interval(mean, mean - half, mean + half);
    }

    public boolean contains(double value) {
        return low <= value && value <= high;
    }

    /** Returns the interval of the same quantity with the other sign: of a loss that of the gain. */
    public Interval negated() {
        return new Interval(-mean, -high, -low);
    }

    /** Returns the interval in units of {@code unit}, which is above 0. */
    public Interval in(double unit) {
        return new Interval(mean / unit, low / unit, high / unit);
    }

    public double halfWidth() {
        return (high - low) / 2;
    }
}
