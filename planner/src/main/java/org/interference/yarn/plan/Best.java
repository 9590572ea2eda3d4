package org.interference.yarn.plan;

/** The best that an arrangement ever was: first what fits, then what costs least. Not thread-safe. */
final class Best {
    private static final double NOISE = 1e-12;

    private final Arrangement arrangement;
    private final int[] places;
    private double sum;
    private double excess;

    Best(Arrangement arrangement) {
        this.arrangement = arrangement;
        places = arrangement.places();
        sum = arrangement.sum();
        excess = arrangement.excess();
    }

    /** Remembers the arrangement as it is if it was never better. */
    void look() {
        double excessNow = arrangement.excess();
        if (excessNow < excess || (excessNow == excess && arrangement.sum() < sum - NOISE)) {
            arrangement.copyPlaces(places);
            sum = arrangement.sum();
            excess = excessNow;
        }
    }

    Solution solution(long steps, boolean optimal) {
        arrangement.restore(places);
        return new Solution(arrangement.plan(), arrangement.cost(), steps, optimal);
    }
}
