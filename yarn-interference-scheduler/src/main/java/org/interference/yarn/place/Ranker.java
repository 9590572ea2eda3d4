package org.interference.yarn.place;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Orders the fitting nodes of one request by the marginal cost of placing it there. Pure.
 *
 * <p>Cost of node {@code m} with neighbours {@code N}: {@code (S(t|N) - 1) + sum over j in N of (S(j|N-j+t) - S(j|N-j)) +
 * L/R}, with {@code S} the predictor, {@code t} the newcomer, {@code L} the seconds that its locality loses and {@code R}
 * its mean run time. Equal costs go to the lower pressure on what the newcomer uses, then to the parent's order. A node
 * whose cost is not known keeps the place that the parent gave it among the fitting nodes.
 */
final class Ranker {
    /** Finer differences are noise: the last bits of a sum depend on the order of its terms. */
    private static final double RESOLUTION = 1e-6;

    private static final Comparator<Verdict> CHEAPEST_FIRST = Comparator.comparingDouble(
                    (Verdict verdict) -> Math.rint(verdict.cost() / RESOLUTION))
            .thenComparingDouble(verdict -> Math.rint(verdict.pressure() / RESOLUTION));

    private final Map<Locality, Duration> localityCosts;
    private final int maxCandidates;

    Ranker(PlaceSettings settings) {
        this.localityCosts = Map.of(
                Locality.NO_PREFERENCE,
                Duration.ZERO,
                Locality.NODE_LOCAL,
                Duration.ZERO,
                Locality.RACK_LOCAL,
                settings.rackLocalCost(),
                Locality.OFF_SWITCH,
                settings.offSwitchCost());
        this.maxCandidates = settings.maxCandidates();
    }

    /** Returns a verdict for each fitting candidate, best first; {@code candidates} are in the parent's order. */
    List<Verdict> rank(TaskKind kind, List<Candidate> candidates) {
        List<Verdict> inParentsOrder = new ArrayList<>();
        int scored = 0;
        for (Candidate candidate : candidates) {
            if (!candidate.fits()) {
                continue;
            }
            if (scored == maxCandidates) {
                inParentsOrder.add(Verdict.neutral(candidate.node(), Verdict.Reason.NEUTRAL_NOT_SCORED));
                continue;
            }
            Verdict verdict = verdict(kind, candidate);
            inParentsOrder.add(verdict);
            if (verdict.reason() == Verdict.Reason.RANKED) {
                scored++;
            }
        }
        return rankedIntoTheirPlaces(inParentsOrder);
    }

    private static List<Verdict> rankedIntoTheirPlaces(List<Verdict> inParentsOrder) {
        List<Verdict> ranked = inParentsOrder.stream()
                .filter(verdict -> verdict.reason() == Verdict.Reason.RANKED)
                .sorted(CHEAPEST_FIRST)
                .toList();
        List<Verdict> order = new ArrayList<>(inParentsOrder.size());
        int next = 0;
        for (Verdict verdict : inParentsOrder) {
            order.add(verdict.reason() == Verdict.Reason.RANKED ? ranked.get(next++) : verdict);
        }
        return List.copyOf(order);
    }

    private Verdict verdict(TaskKind kind, Candidate candidate) {
        if (candidate.load().isEmpty()) {
            return Verdict.neutral(candidate.node(), Verdict.Reason.NEUTRAL_NO_SAMPLE);
        }
        NodeLoad.Cost cost = candidate.load().get().cost(kind);
        if (!cost.known()) {
            return Verdict.neutral(candidate.node(), Verdict.Reason.NEUTRAL_UNKNOWN);
        }
        return new Verdict(
                candidate.node(),
                Verdict.Reason.RANKED,
                cost.own(),
                cost.added(),
                localityCosts.get(candidate.locality()).toMillis() / 1000.0 / kind.runSeconds(),
                cost.pressure());
    }
}
