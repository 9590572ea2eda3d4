package org.interference.yarn.profile;

/**
 * Count, mean and spread of values seen one at a time (Welford 1962). Immutable.
 *
 * @param squaredDistances sum of squared distances from the mean
 */
public record Moments(long count, double mean, double squaredDistances) {
    public static final Moments NONE = new Moments(0, 0, 0);

    public Moments {
        if (count < 0 || !Double.isFinite(mean) || !Double.isFinite(squaredDistances) || squaredDistances < 0) {
            throw new IllegalArgumentException("no values have count %d, mean %s and squared distances %s"
                    .formatted(count, mean, squaredDistances));
        }
    }

    /** Returns these moments with {@code value} seen too. */
    public Moments with(double value) {
        long n = count + 1;
        double distance = value - mean;
        double nextMean = mean + distance / n;
        return new Moments(n, nextMean, squaredDistances + distance * (value - nextMean));
    }

    /** Returns the sample standard deviation; 0 for fewer than two values. */
    public double deviation() {
        return count < 2 ? 0 : Math.sqrt(squaredDistances / (count - 1));
    }
}
