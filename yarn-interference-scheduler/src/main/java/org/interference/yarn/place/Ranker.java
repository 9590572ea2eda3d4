package org.interference.yarn.place;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Orders the fitting nodes of one request by what the task gains there, as {@link Offer} reckons it: there several tasks bid for one node, here one
 * is offered several. Pure.
 *
 * <p>Gain on a node with neighbours {@code N}: {@code 1 - w(t) (1 - 1/(S(t|N) + L/R)) - sum over j in N of w(j) (1/S(j|N-j) -
 * 1/S(j|N-j+t))}, with {@code S} the predictor, {@code t} the newcomer, {@code w} how many times a container's slowdown counts, {@code L}
 * the seconds that its locality loses and {@code R} its mean run time; less what tags cost ({@link TagCosts}). Equal gains go to the lower
 * pressure on what the newcomer uses, then to the parent's order. A node whose gain is not known keeps the place that the parent gave it
 * among the fitting nodes.
 *
 * <p>Where tags wish for other neighbours, a node whose gain is not known is taken to cost what the one before it does in the order without
 * tags, or nothing if it is the first.
 */
final class Ranker {
    /** Finer differences are noise: the last bits of a sum depend on the order of its terms. */
    static final double RESOLUTION = 1e-6;

    private static final Comparator<Verdict> CHEAPEST_FIRST = Comparator.comparingDouble(
                    (Verdict verdict) -> Math.rint(verdict.interference() / RESOLUTION))
            .thenComparingDouble(verdict -> Math.rint(verdict.pressure() / RESOLUTION));

    private final Map<Locality, Duration> localityCosts;
    private final int maxCandidates;
    private final TagCosts tagCosts;

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
        this.tagCosts = settings.tagCosts();
    }

    /** A node, and what it is taken to cost. */
    private record Place(Verdict verdict, double cost) {}

    /** Ranks as long as it takes. */
    List<Verdict> rank(Newcomer newcomer, List<NodeCandidate> candidates) {
        return rank(newcomer, candidates, () -> false);
    }

    /**
     * Returns a verdict for each fitting candidate, in the order to try them.
     *
     * @param candidates in the parent's order
     * @param enough whether no further candidate is to be scored
     */
    List<Verdict> rank(Newcomer newcomer, List<NodeCandidate> candidates, BooleanSupplier enough) {
        List<Verdict> inParentsOrder = new ArrayList<>();
        int scored = 0;
        boolean tagged = false;
        for (NodeCandidate candidate : candidates) {
            if (!candidate.fits()) {
                continue;
            }
            if (scored == maxCandidates || enough.getAsBoolean()) {
                inParentsOrder.add(Verdict.neutral(candidate.node(), Verdict.Reason.NEUTRAL_NOT_SCORED));
                continue;
            }
            Verdict verdict = verdict(newcomer, candidate);
            inParentsOrder.add(verdict);
            tagged |= verdict.tagPenalty() > 0;
            if (verdict.reason() == Verdict.Reason.RANKED || newcomer.kind().isEmpty()) {
                scored++;
            }
        }
        return tagged ? byCostAndTags(inParentsOrder) : byCost(inParentsOrder);
    }

    private List<Verdict> byCost(List<Verdict> inParentsOrder) {
        List<Verdict> ranked = known(inParentsOrder);
        ranked.sort(CHEAPEST_FIRST);
        return List.copyOf(ranked.size() == inParentsOrder.size() ? ranked : intoTheirPlaces(ranked, inParentsOrder));
    }

    private List<Verdict> byCostAndTags(List<Verdict> inParentsOrder) {
        List<Verdict> ranked =
                known(inParentsOrder).stream().sorted(CHEAPEST_FIRST).toList();
        List<Place> places = new ArrayList<>();
        double before = 0;
        for (Verdict verdict : intoTheirPlaces(ranked, inParentsOrder)) {
            before = verdict.reason() == Verdict.Reason.RANKED ? verdict.interference() : before;
            boolean last = verdict.reason() == Verdict.Reason.NEUTRAL_NOT_SCORED;
            places.add(new Place(verdict, last ? Double.POSITIVE_INFINITY : before + verdict.tagPenalty()));
        }
        places.sort(Comparator.comparingDouble(place -> Math.rint(place.cost() / RESOLUTION)));
        return places.stream().map(Place::verdict).toList();
    }

    private static List<Verdict> known(List<Verdict> verdicts) {
        List<Verdict> known = new ArrayList<>(verdicts.size());
        for (Verdict verdict : verdicts) {
            if (verdict.reason() == Verdict.Reason.RANKED) {
                known.add(verdict);
            }
        }
        return known;
    }

    private static List<Verdict> intoTheirPlaces(List<Verdict> ranked, List<Verdict> inParentsOrder) {
        List<Verdict> order = new ArrayList<>(inParentsOrder.size());
        int next = 0;
        for (Verdict verdict : inParentsOrder) {
            order.add(verdict.reason() == Verdict.Reason.RANKED ? ranked.get(next++) : verdict);
        }
        return order;
    }

    private Verdict verdict(Newcomer newcomer, NodeCandidate candidate) {
        if (candidate.load().isEmpty()) {
            return neutral(newcomer, candidate, Verdict.Reason.NEUTRAL_NO_SAMPLE);
        }
        if (newcomer.kind().isEmpty()) {
            return neutral(newcomer, candidate, Verdict.Reason.NEUTRAL_UNKNOWN);
        }
        TaskKind kind = newcomer.kind().get();
        NodeLoad.Cost cost = candidate.load().get().cost(kind);
        if (!cost.known()) {
            return neutral(newcomer, candidate, Verdict.Reason.NEUTRAL_UNKNOWN);
        }
        double moved = localityCosts.get(candidate.locality()).toMillis() / 1000.0 / kind.runSeconds();
        double slowdown = cost.own() + moved;
        return new Verdict(
                candidate.node(),
                Verdict.Reason.RANKED,
                cost.own(),
                cost.lost(),
                1 / cost.own() - 1 / slowdown,
                candidate.load().get().pressure(kind),
                newcomer.weight(),
                tags(newcomer, candidate, slowdown),
                candidate.measuredAt());
    }

    private Verdict neutral(Newcomer newcomer, NodeCandidate candidate, Verdict.Reason reason) {
        return Verdict.neutral(candidate.node(), reason, tags(newcomer, candidate, 1));
    }

    private double tags(Newcomer newcomer, NodeCandidate candidate, double slowdown) {
        return newcomer.applicant().isEmpty()
                ? 0
                : tagCosts.of(
                        newcomer.applicant().get(),
                        candidate.load().map(NodeLoad::company).orElseGet(candidate.company()),
                        newcomer.weight(),
                        slowdown);
    }
}
