package org.interference.yarn.benchmarks;

import java.util.Arrays;

/** Repeated measurements of one figure: their median and their spread. */
public record Distribution(double min, double median, double max, int count) {
    /**
     * Summarises {@code values}.
     *
     * @throws IllegalArgumentException if there are none
     */
    public static Distribution of(double... values) {
        if (values.length == 0) {
            throw new IllegalArgumentException("no values");
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Distribution(sorted[0], median, sorted[sorted.length - 1], sorted.length);
    }
}
