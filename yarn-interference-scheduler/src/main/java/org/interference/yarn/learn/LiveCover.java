package org.interference.yarn.learn;

import java.util.OptionalDouble;

/** What share of the newest observations fell into the interval that was told before. Not thread-safe. */
final class LiveCover {
    private static final int LEAST = 50;
    private static final int SPAN = 1000;

    private long told;
    private double inside;

    /**
     * Takes an observation.
     *
     * @param spread half the width of the interval around {@code predicted} in logarithms, as it was before
     */
    void add(double predicted, double observed, double spread) {
        told++;
        double within = Math.abs(Math.log(predicted / observed)) <= spread ? 1 : 0;
        inside += (within - inside) / Math.min(told, SPAN);
    }

    /** Returns a share from 0 to 1; empty before there are enough. */
    OptionalDouble share() {
        return told < LEAST ? OptionalDouble.empty() : OptionalDouble.of(inside);
    }
}
