package org.interference.yarn.benchmarks;

import org.apache.commons.math3.stat.StatUtils;
import org.interference.yarn.lab.stats.Quantiles;

/** Repeated measurements of one figure: their median and their spread. */
public record Distribution(double min, double median, double max, int count) {
    /**
     * Summarises {@code values}.
     *
     * @throws IllegalArgumentException if there are none
     */
    public static Distribution of(double... values) {
        return new Distribution(StatUtils.min(values), Quantiles.median(values), StatUtils.max(values), values.length);
    }
}
