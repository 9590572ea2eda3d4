package org.interference.yarn.profile;

/**
 * What is known of values seen one at a time, with a short memory and a long one. Immutable; every figure is {@code >= 0}.
 *
 * <p>With {@code n} values seen, the slow mean and the variance move by {@code 1 / min(n, 32)} towards each value: they are
 * exact for the first 32, in whatever order these come, and then forget. The fast mean moves by {@code 1 / min(n, 4)}.
 * When, after 16 values, the two means part by more than {@value #CHANGED_DEVIATIONS} standard deviations, what is
 * measured has changed: the slow mean starts again from the fast one. The 95th percentile is the largest of 20 values and
 * then a stochastic approximation (Robbins and Monro 1951) with the step that is best for a normal distribution.
 *
 * @param count values seen
 * @param weight values that the slow mean stands on, at most 32
 * @param fast mean of the last few
 * @param mean the slow one
 * @param variance about {@code mean}, of the population
 * @param peak the largest ever seen
 */
public record Averages(long count, int weight, double fast, double mean, double variance, double p95, double peak) {
    /** Nothing was seen. */
    public static final Averages NONE = new Averages(0, 0, 0, 0, 0, 0, 0);

    private static final int SLOW_SPAN = 32;
    private static final int FAST_SPAN = 4;
    private static final int LEAST_TO_HAVE_CHANGED = 16;
    /** A fast mean of normal noise strays by 0.4 of its standard deviation, so this is three times that. */
    private static final double CHANGED_DEVIATIONS = 1.3;

    private static final double P = 0.95;
    private static final int VALUES_ABOVE_WHICH_P95_IS_NOT_THE_LARGEST = 20;
    /** One over the standard normal density at its 95th percentile. */
    private static final double P95_STEP = 9.7;

    private static final double P95_DEVIATIONS = 1.645;
    private static final int P95_SPAN = 300;
    /** Figures are kept to a billionth, so that a short decimal text holds them exactly. */
    private static final double RESOLUTION = 1e9;

    private static final double LARGEST_ROUNDED = 1e6;

    public Averages {
        if (count < 0 || weight < 0 || weight > SLOW_SPAN || weight > count) {
            throw new IllegalArgumentException("no values have count %d and weight %d".formatted(count, weight));
        }
        for (double figure : new double[] {fast, mean, variance, p95, peak}) {
            if (!(figure >= 0 && figure <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException("an average must be finite and >= 0, got " + figure);
            }
        }
    }

    /** Returns the averages of {@code count} values that were all {@code value}. */
    public static Averages constant(long count, double value) {
        return new Averages(count, (int) Math.min(count, SLOW_SPAN), value, value, 0, value, value);
    }

    /** Returns these averages with {@code value} seen too. */
    public Averages with(double value) {
        return with(value, value);
    }

    /**
     * Returns these averages with {@code value} seen too.
     *
     * @param highest the largest that {@code value}, itself a mean, was made of
     */
    public Averages with(double value, double highest) {
        long n = count + 1;
        int nextWeight = Math.min(weight + 1, SLOW_SPAN);
        double slowShare = 1.0 / nextWeight;
        double distance = value - mean;
        double nextMean = mean + slowShare * distance;
        double nextVariance = (1 - slowShare) * (variance + slowShare * distance * distance);
        double nextFast = fast + Math.max(slowShare, 1.0 / FAST_SPAN) * (value - fast);
        double nextPeak = Math.max(peak, Math.max(value, highest));
        double nextP95 = p95(n, value, Math.sqrt(nextVariance));
        if (weight >= LEAST_TO_HAVE_CHANGED
                && Math.abs(nextFast - nextMean) > CHANGED_DEVIATIONS * Math.sqrt(nextVariance)) {
            double asIfNormal = Math.min(nextPeak, nextFast + P95_DEVIATIONS * Math.sqrt(nextVariance));
            return rounded(n, FAST_SPAN, nextFast, nextFast, square(value - nextFast), asIfNormal, nextPeak);
        }
        return rounded(n, nextWeight, nextFast, nextMean, nextVariance, nextP95, nextPeak);
    }

    private double p95(long n, double value, double deviation) {
        if (n <= VALUES_ABOVE_WHICH_P95_IS_NOT_THE_LARGEST) {
            return Math.max(p95, value);
        }
        double step = deviation * P95_STEP / Math.min(n, P95_SPAN);
        return Math.max(0, p95 + step * (value > p95 ? P : P - 1));
    }

    private static Averages rounded(
            long count, int weight, double fast, double mean, double variance, double p95, double peak) {
        return new Averages(
                count, weight, rounded(fast), rounded(mean), rounded(variance), rounded(p95), rounded(peak));
    }

    /** Rounding must not turn the last bits of a subtraction into a negative figure. */
    private static double rounded(double figure) {
        double positive = Math.max(0, figure);
        return positive > LARGEST_ROUNDED ? positive : Math.rint(positive * RESOLUTION) / RESOLUTION;
    }

    private static double square(double x) {
        return x * x;
    }

    /** Returns the sample standard deviation; 0 for fewer than two values. */
    public double deviation() {
        return weight < 2 ? 0 : Math.sqrt(variance * weight / (weight - 1));
    }
}
