package org.interference.yarn.learn;

import java.util.OptionalDouble;

/**
 * Mean absolute error of the latest predictions in logarithms: 0.1 is a tenth, too much or too little. Not thread-safe.
 *
 * <p>As a share of what was observed, who always says 1 is wrong by less than 1 however slow a task was, and who says twice too much by
 * 1: the shares prefer the predictor that misses the cliffs (Tofallis, J. Oper. Res. Soc. 66, 2015).
 *
 * <p>Each prediction is made before its observation is learnt from (prequential: Gama et al., Machine Learning 2013). The first
 * {@code span} count the same, later ones fade by {@code 1 - 1/span}.
 */
final class LiveError {
    private static final int LEAST = 8;

    private final int span;
    private long count;
    private double mean;

    LiveError(int span) {
        this.span = span;
    }

    void add(double predicted, double observed) {
        count++;
        mean += (Math.abs(Math.log(predicted / observed)) - mean) / Math.min(count, span);
    }

    /** Empty before there are enough. */
    OptionalDouble mean() {
        return count < LEAST ? OptionalDouble.empty() : OptionalDouble.of(mean);
    }

    /** Returns whether both are known, and this one is less than {@code share} of the other. */
    boolean isClearlyLessThan(LiveError other, double share) {
        return count >= LEAST && other.count >= LEAST && mean < share * other.mean;
    }
}
