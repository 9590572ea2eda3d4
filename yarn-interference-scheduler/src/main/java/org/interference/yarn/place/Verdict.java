package org.interference.yarn.place;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Why a node ranked where it did. Costs are in work: 1.0 is what one container gets done alone, as gains are ({@link Offer}).
 *
 * <p>The newcomer's own terms count as many times as its {@code sensitivity} says, each neighbour's as that neighbour's.
 *
 * @param ownSlowdown of the newcomer on this node, {@code >= 1}
 * @param neighboursLose what all its neighbours get done less with the newcomer, {@code >= 0}
 * @param localityCost what the newcomer gets done less as it fetches its data from elsewhere, {@code >= 0}
 * @param pressure what the neighbours press together on the signals that the newcomer uses; breaks ties
 * @param sensitivity how many times the newcomer's slowdown and its locality count
 * @param tagPenalty what it costs that applications' tags wish for other neighbours, absent ones among them, {@code >= 0}
 * @param measuredAt when the sample that decided was received; empty without one
 */
public record Verdict(
        String node,
        Reason reason,
        double ownSlowdown,
        double neighboursLose,
        double localityCost,
        double pressure,
        double sensitivity,
        double tagPenalty,
        Optional<Instant> measuredAt) {
    /** How the node's place in the order came about. */
    public enum Reason {
        /** By its gain. */
        RANKED,
        /** Its place in the parent's order: no fresh sample. */
        NEUTRAL_NO_SAMPLE,
        /** Its place in the parent's order: the predictor does not know. */
        NEUTRAL_UNKNOWN,
        /** Its place in the parent's order: enough better placed nodes were scored already. */
        NEUTRAL_NOT_SCORED
    }

    /** Of a newcomer that counts once. */
    Verdict(
            String node,
            Reason reason,
            double ownSlowdown,
            double neighboursLose,
            double localityCost,
            double pressure) {
        this(node, reason, ownSlowdown, neighboursLose, localityCost, pressure, 1, 0, Optional.empty());
    }

    static Verdict neutral(String node, Reason reason) {
        return neutral(node, reason, 0);
    }

    static Verdict neutral(String node, Reason reason, double tagPenalty) {
        return new Verdict(node, reason, 1, 0, 0, 0, 1, tagPenalty, Optional.empty());
    }

    /** Returns what the node gets done more with the newcomer, less what tags cost: of several nodes the highest is best. */
    public double gain() {
        return 1 - cost();
    }

    /** Returns by how much that is less than where nobody harms anybody, {@code >= 0}: what it loses, what its neighbours do, and what tags cost. */
    public double cost() {
        return interference() + tagPenalty;
    }

    /** Returns the cost without what tags say. */
    double interference() {
        return sensitivity * (1 - 1 / ownSlowdown + localityCost) + neighboursLose;
    }

    /** Returns one line for people. */
    public String explain() {
        if (reason != Reason.RANKED) {
            return "%s: %s%s".formatted(node, reason, tags());
        }
        return String.format(
                Locale.ROOT,
                "%s gains %.3f (own slowdown %.3f, neighbours lose %.3f, locality costs %.3f, pressure %.3f%s%s)",
                node,
                gain(),
                ownSlowdown,
                neighboursLose,
                localityCost,
                pressure,
                sensitivity == 1 ? "" : String.format(Locale.ROOT, ", sensitivity %.1f", sensitivity),
                tags());
    }

    private String tags() {
        return tagPenalty == 0 ? "" : String.format(Locale.ROOT, ", tags cost %.3f", tagPenalty);
    }
}
