package org.interference.yarn.lab.stats;

import java.util.Collection;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;
import org.apache.commons.math3.stat.descriptive.rank.Percentile.EstimationType;
import org.apache.commons.math3.stat.ranking.NaNStrategy;

/**
 * Percentiles and medians, in the unit of the values, as defined by Hyndman and Fan (Sample Quantiles in Statistical Packages, The
 * American Statistician 50(4), 1996). Pure. No values, or a NaN among several, is an {@link IllegalArgumentException}.
 */
public final class Quantiles {
    private Quantiles() {}

    /**
     * Returns the smallest of {@code values} that at least {@code percent} per cent of them do not exceed: type 1, the nearest rank.
     *
     * @param percent above 0, at most 100
     */
    public static double percentile(double[] values, double percent) {
        return quantile(values, percent, EstimationType.R_1);
    }

    /** Returns the value in the middle, of an even number the mean of the two that are there: type 2. */
    public static double median(double... values) {
        return quantile(values, 50, EstimationType.R_2);
    }

    /** Returns the {@link #median(double...)} of {@code values}. */
    public static double median(Collection<? extends Number> values) {
        return median(values.stream().mapToDouble(Number::doubleValue).toArray());
    }

    private static double quantile(double[] values, double percent, EstimationType type) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no values");
        }
        return new Percentile()
                .withEstimationType(type)
                .withNaNStrategy(NaNStrategy.FAILED)
                .evaluate(values, percent);
    }
}
