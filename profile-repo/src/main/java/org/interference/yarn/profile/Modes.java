package org.interference.yarn.profile;

import java.util.OptionalDouble;

/**
 * The two clusters that best divide values seen one at a time. Immutable. Figures are floats: there are many of these.
 *
 * <p>A new value is a cluster of its own; of the three, the two whose union adds the least variance become one (Ward
 * 1963). After {@value #REMEMBERED} values the older half counts half, so that the clusters follow what changes.
 *
 * @param lowSquares sum of squared distances from {@code lowMean}
 */
public record Modes(int low, float lowMean, float lowSquares, int high, float highMean, float highSquares) {
    /** Nothing was seen. */
    public static final Modes NONE = new Modes(0, 0, 0, 0, 0, 0);

    private static final int REMEMBERED = 512;
    private static final int LEAST_IN_A_CLUSTER = 16;
    private static final double LEAST_SHARE = 0.1;
    /** Two halves of a normal distribution are 2.7 apart, of a uniform one 3.5. */
    private static final double CLEARLY_APART = 6;
    /** Levels closer than this are no two kinds of task to a scheduler. */
    private static final double LEAST_DISTANCE = 0.1;

    public Modes {
        if (low < 0
                || high < 0
                || !isFigure(lowMean)
                || !isFigure(lowSquares)
                || !isFigure(highMean)
                || !isFigure(highSquares)
                || (high > 0 && lowMean > highMean)) {
            throw new IllegalArgumentException(
                    "no values have clusters of %d about %s and %d about %s".formatted(low, lowMean, high, highMean));
        }
    }

    private static boolean isFigure(float value) {
        return value >= 0 && value <= Float.MAX_VALUE;
    }

    private record Cluster(int count, double mean, double squares) {
        Cluster and(Cluster other) {
            int n = count + other.count;
            return n == 0
                    ? this
                    : new Cluster(
                            n,
                            (count * mean + other.count * other.mean) / n,
                            squares + other.squares + costOfUnion(other));
        }

        double costOfUnion(Cluster other) {
            double distance = mean - other.mean;
            int n = count + other.count;
            return n == 0 ? 0 : (double) count * other.count / n * distance * distance;
        }

        Cluster halved() {
            return new Cluster(count / 2, mean, squares / 2);
        }
    }

    /** Returns the clusters with {@code value}, {@code >= 0}, in one of them. */
    public Modes with(double value) {
        Cluster lower = new Cluster(low, lowMean, lowSquares);
        Cluster higher = new Cluster(high, highMean, highSquares);
        if (low + high >= REMEMBERED) {
            lower = lower.halved();
            higher = higher.halved();
        }
        Cluster alone = new Cluster(1, value, 0);
        if (lower.count() == 0) {
            return of(alone, higher);
        }
        if (higher.count() == 0 && value != lower.mean()) {
            return of(lower, alone);
        }
        double both = higher.count() == 0 ? Double.MAX_VALUE : lower.costOfUnion(higher);
        double withLower = lower.costOfUnion(alone);
        double withHigher = higher.count() == 0 ? Double.MAX_VALUE : higher.costOfUnion(alone);
        if (both < withLower && both < withHigher) {
            return of(lower.and(higher), alone);
        }
        return withLower <= withHigher ? of(lower.and(alone), higher) : of(lower, higher.and(alone));
    }

    private static Modes of(Cluster a, Cluster b) {
        boolean swapped = b.count() > 0 && (a.count() == 0 || a.mean() > b.mean());
        Cluster lower = swapped ? b : a;
        Cluster higher = swapped ? a : b;
        return new Modes(
                lower.count(),
                (float) lower.mean(),
                (float) lower.squares(),
                higher.count(),
                (float) (higher.count() == 0 ? 0 : higher.mean()),
                (float) higher.squares());
    }

    /**
     * Returns the level between the clusters if they are two kinds: each with 16 values and a tenth of all, 0.1 from the
     * other, and clearly apart. Apart by {@code D = sqrt(2) |m1 - m2| / sqrt(v1 + v2)}, with means {@code m} and variances
     * {@code v} (Ashman, Bird and Zepf 1994, who call 2 a clean separation of a known mixture).
     */
    public OptionalDouble boundary() {
        double distance = highMean - lowMean;
        int rarer = Math.min(low, high);
        if (rarer < LEAST_IN_A_CLUSTER || rarer < LEAST_SHARE * (low + high) || distance < LEAST_DISTANCE) {
            return OptionalDouble.empty();
        }
        double spread = Math.sqrt(lowSquares / low + highSquares / high);
        boolean apart = Math.sqrt(2) * distance >= CLEARLY_APART * spread;
        return apart ? OptionalDouble.of((lowMean + highMean) / 2.0) : OptionalDouble.empty();
    }
}
