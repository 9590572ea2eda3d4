package org.interference.yarn.place;

import java.util.List;
import java.util.OptionalInt;
import java.util.function.Predicate;

/**
 * A node that is free, and who may be served there: the one question of placement, for both schedulers (ADR-0034). Immutable;
 * {@link #decide} is a function of it alone.
 *
 * <p>Gain of a task {@code t} on a node with tasks {@code N}: {@code 1/S(t|N) + sum over j in N of (1/S(j|N-j+t) - 1/S(j|N-j))}, the
 * tasks' worth of work that the node gets done more in a second, with {@code S} the predicted slowdown; 1 where nobody harms anybody, below 0
 * where the node would get less done than without it.
 *
 * @param bids of those who may be served, in the parent's order: the parent would serve the first
 * @param firstIsOverdue whether the first has been passed over for as long as it may be
 * @param mayBeLeft whether the node may stay as it is
 */
public record Offer(List<Bid> bids, boolean firstIsOverdue, boolean mayBeLeft) {
    /**
     * Smaller differences, in tasks alone, are not worth another order than the parent's. With 0.02 makespans are the same in simulation,
     * and turnarounds longer where contention is mild.
     */
    static final double CLEARLY = 0.1;

    /** Whose gain is lower makes the node slower than it is. From 0 to 0.1 is best for a learned model (ADR-0034). */
    private static final double FLOOR = 0;

    public Offer {
        bids = List.copyOf(bids);
    }

    /**
     * What one contender would gain.
     *
     * @param gain in tasks alone; NaN if it is not known
     * @param atMost the upper end of the gain's interval; infinite while nobody knows how wrong the predictor is
     * @param excess by how much the gain is above what such tasks have gained lately where they were offered a node, less what tags cost there
     * @param weight how many times its slowdown counts (ADR-0019)
     */
    public record Bid(double gain, double atMost, double excess, double weight) {
        /** One whose slowdown counts as any other's. */
        public Bid(double gain, double atMost, double excess) {
            this(gain, atMost, excess, 1);
        }

        public static final Bid UNKNOWN = new Bid(Double.NaN, Double.POSITIVE_INFINITY, 0);

        public boolean isKnown() {
            return !Double.isNaN(gain);
        }

        /** Returns the lower end of the gain's interval, as far below it as {@link #atMost} is above; NaN if it is not known. */
        public double atLeast() {
            return gain - (atMost - gain);
        }

        /** Returns whether the node suits the other as well as this, whose slowdown counts more. */
        boolean countsMoreThan(Bid other) {
            return weight > other.weight
                    && excess <= other.excess + CLEARLY
                    && harmsNobody() == other.harmsNobody()
                    && surelyHarms() == other.surelyHarms();
        }

        private boolean harmsNobody() {
            return gain >= FLOOR;
        }

        private boolean surelyHarms() {
            return atMost < FLOOR;
        }
    }

    /** Why. The name is also the counter. */
    public enum Reason {
        /** It suits nobody who may be served clearly better than the parent's first, nor as well whose slowdown counts more. */
        FIRST,
        /** It suits another one clearly better, or as well and its slowdown counts more. */
        BETTER,
        /** The parent's first has been passed over for as long as it may be. */
        OVERDUE,
        /** Whoever is served would make the node slower, as far as the interval of each one's gain reaches: it stays as it is. */
        LEFT,
        /** The parent decides: what its first would gain is not known. */
        UNKNOWN
    }

    /**
     * Who gets the node.
     *
     * @param winner index of the bid; empty if the node is left, or if the parent is to decide
     */
    public record Decision(OptionalInt winner, Reason reason) {
        private static final Decision UNKNOWN = new Decision(OptionalInt.empty(), Reason.UNKNOWN);
        private static final Decision LEFT = new Decision(OptionalInt.empty(), Reason.LEFT);
    }

    /** Returns who gets the node, and why. */
    public Decision decide() {
        if (bids.isEmpty() || !bids.get(0).isKnown()) {
            return Decision.UNKNOWN;
        }
        if (firstIsOverdue) {
            return new Decision(OptionalInt.of(0), Reason.OVERDUE);
        }
        int best = best(Bid::harmsNobody);
        if (best < 0) {
            best = best(bid -> bid.isKnown() && !bid.surelyHarms());
        }
        if (best < 0 && mayBeLeft) {
            return Decision.LEFT;
        }
        best = best < 0 ? best(Bid::isKnown) : best;
        return new Decision(OptionalInt.of(best), best == 0 ? Reason.FIRST : Reason.BETTER);
    }

    /** Returns who gets what a node has beyond its configured size, which nobody has a right to: only who surely gains there. */
    Decision decideSurely() {
        int best = best(bid -> bid.isKnown() && bid.atLeast() > FLOOR);
        return best < 0 ? Decision.LEFT : new Decision(OptionalInt.of(best), best == 0 ? Reason.FIRST : Reason.BETTER);
    }

    /**
     * Returns whose excess is greatest, and of those whom the node suits as well whose slowdown counts most, in the parent's order; negative
     * if nobody is {@code eligible}.
     */
    private int best(Predicate<Bid> eligible) {
        int suited = suited(eligible);
        int best = suited;
        for (int i = 0; suited >= 0 && i < bids.size(); i++) {
            Bid bid = bids.get(i);
            if (eligible.test(bid)
                    && bid.excess() >= bids.get(suited).excess() - CLEARLY
                    && bid.weight() > bids.get(best).weight()) {
                best = i;
            }
        }
        return best;
    }

    /** Returns whose excess is greatest, differences that are not clear aside; negative if nobody is {@code eligible}. */
    private int suited(Predicate<Bid> eligible) {
        int best = -1;
        for (int i = 0; i < bids.size(); i++) {
            Bid bid = bids.get(i);
            if (eligible.test(bid) && (best < 0 || bid.excess() > bids.get(best).excess() + CLEARLY)) {
                best = i;
            }
        }
        return best;
    }
}
