package org.interference.yarn.lab.stats;

import java.util.Arrays;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;

/**
 * A mean and its 95 % confidence interval by Student's t: mean ± t(0.975, n - 1) · s / √n, where s² is the unbiased variance of the n
 * values. In their unit. Immutable.
 *
 * @param low equal to the mean, as {@code high} is, for a single value
 */
public record Interval(double mean, double low, double high) {
    private static final double UPPER = 0.975;

    /**
     * Returns the interval of the mean of {@code values}; not finite where one of these is not.
     *
     * @throws IllegalArgumentException if there are none
     */
    public static Interval of(double[] values) {
        int n = values.length;
        double mean = Arrays.stream(values).average().orElseThrow(() -> new IllegalArgumentException("no values"));
        if (n == 1) {
            return new Interval(mean, mean, mean);
        }
        double error = Math.sqrt(StatUtils.variance(values, mean) / n);
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
