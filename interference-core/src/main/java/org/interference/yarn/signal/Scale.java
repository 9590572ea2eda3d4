package org.interference.yarn.signal;

import java.util.Arrays;

/**
 * By what levels on one node are multiplied to be the same demand's levels on another. Immutable.
 *
 * <p>A task that keeps one CPU busy is at a level of 1/16 on a node of sixteen and of 1/64 on one of sixty-four. Signals that are no share of a
 * capacity that nodes tell stay what they are, and so do those of which one of both nodes tells nothing.
 */
public final class Scale {
    /** From a node to one like it. */
    public static final Scale ONE = new Scale(ones());

    /** What a node says of itself may be wrong, but not by more. */
    private static final double MOST = 256;

    /** By {@link Signal#id}. */
    private final double[] factors;

    private final int hash;
    private volatile Scale inverse;

    private Scale(double[] factors) {
        this.factors = factors;
        this.hash = Arrays.hashCode(factors);
    }

    private static double[] ones() {
        double[] ones = new double[InterferenceVector.SIZE];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** Returns what levels on a node with {@code from} become on one with {@code to}. */
    public static Scale between(Capacities from, Capacities to) {
        double[] factors = ones();
        for (Signal signal : Signal.values()) {
            double factor = from.of(signal) / to.of(signal);
            if (!Double.isNaN(factor) && !Capacities.areAlike(factor, 1)) {
                factors[signal.id()] = Math.max(1 / MOST, Math.min(MOST, factor));
            }
        }
        return Arrays.equals(factors, ONE.factors) ? ONE : new Scale(factors);
    }

    /** Returns the way back. */
    public Scale inverse() {
        Scale known = inverse;
        if (known == null) {
            double[] back = factors.clone();
            for (int i = 0; i < back.length; i++) {
                back[i] = 1 / back[i];
            }
            known = isOne() ? this : new Scale(back);
            known.inverse = this;
            inverse = known;
        }
        return known;
    }

    /** Returns whether it changes nothing. */
    @SuppressWarnings("ReferenceEquality") // There is one of it.
    public boolean isOne() {
        return this == ONE;
    }

    public double of(Signal signal) {
        return factors[signal.id()];
    }

    /** Returns these levels on the other node. */
    public InterferenceVector of(InterferenceVector levels) {
        return isOne() ? levels : levels.times(factors);
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof Scale that && hash == that.hash && Arrays.equals(factors, that.factors));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return Arrays.toString(factors);
    }
}
