package org.interference.yarn.place;

import java.util.Locale;

/**
 * Why a node ranked where it did. Costs are in slowdown: 1.0 is one container's whole run time lost once.
 *
 * @param ownSlowdown of the newcomer on this node, {@code >= 1}
 * @param neighboursAdded what the newcomer adds to the slowdowns of all its neighbours, {@code >= 0}
 * @param localityCost what fetching the data from elsewhere costs the newcomer, {@code >= 0}
 * @param pressure what the neighbours press together on the signals that the newcomer uses; breaks ties
 */
public record Verdict(
        String node, Reason reason, double ownSlowdown, double neighboursAdded, double localityCost, double pressure) {
    /** How the node's place in the order came about. */
    public enum Reason {
        /** By its cost. */
        RANKED,
        /** Its place in the parent's order: no fresh sample. */
        NEUTRAL_NO_SAMPLE,
        /** Its place in the parent's order: the predictor does not know. */
        NEUTRAL_UNKNOWN,
        /** Its place in the parent's order: enough better placed nodes were scored already. */
        NEUTRAL_NOT_SCORED
    }

    static Verdict neutral(String node, Reason reason) {
        return new Verdict(node, reason, 1, 0, 0, 0);
    }

    /** Returns the marginal cost of the placement: the newcomer's own, and what it does to others. */
    public double cost() {
        return ownSlowdown - 1 + neighboursAdded + localityCost;
    }

    /** Returns one line for people. */
    public String explain() {
        if (reason != Reason.RANKED) {
            return "%s: %s".formatted(node, reason);
        }
        return String.format(
                Locale.ROOT,
                "%s costs %.3f (own slowdown %.3f, neighbours +%.3f, locality +%.3f, pressure %.3f)",
                node,
                cost(),
                ownSlowdown,
                neighboursAdded,
                localityCost,
                pressure);
    }
}
