package org.interference.yarn.place;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Orders the fitting nodes of one request by the marginal cost of placing it there. Pure.
 *
 * <p>Cost of node {@code m} with neighbours {@code N}: {@code w(t) (S(t|N) - 1 + L/R) + sum over j in N of w(j) (S(j|N-j+t) -
 * S(j|N-j))}, with {@code S} the predictor, {@code t} the newcomer, {@code w} how many times a container's slowdown counts, {@code L}
 * the seconds that its locality loses and {@code R} its mean run time. Equal costs go to the lower pressure on what the newcomer uses, then to the parent's order. A node
 * whose cost is not known keeps the place that the parent gave it among the fitting nodes.
 *
 * <p>Where tags wish for other neighbours, each breach costs {@link PlaceSettings#tagPenalty} more. There a node whose cost is not known
 * is taken to cost what the one before it does in the order without tags, or nothing if it is the first. Where nobody is whom the
 * newcomer talks to, its slowdown is {@link PlaceSettings#affinityFactor} times what it were (eq. 6.7 of the thesis: interference times
 * affinity), once for each such group.
 */
final class Ranker {
    /** Finer differences are noise: the last bits of a sum depend on the order of its terms. */
    private static final double RESOLUTION = 1e-6;

    private static final Comparator<Verdict> CHEAPEST_FIRST = Comparator.comparingDouble(
                    (Verdict verdict) -> Math.rint(verdict.interference() / RESOLUTION))
            .thenComparingDouble(verdict -> Math.rint(verdict.pressure() / RESOLUTION));

    private final Map<Locality, Duration> localityCosts;
    private final int maxCandidates;
    private final double tagPenalty;
    private final double affinityFactor;

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
        this.tagPenalty = settings.tagPenalty();
        this.affinityFactor = settings.affinityFactor();
    }

    /**
     * Who is to be placed.
     *
     * @param kind empty without a profile: then only tags order the nodes
     * @param weight how many times its slowdown counts
     */
    record Newcomer(Optional<TaskKind> kind, Wishes wishes, Supplier<Occupant> occupant, double weight) {
        /** One that is like any other. */
        static Newcomer of(TaskKind kind) {
            return new Newcomer(Optional.of(kind), Wishes.NONE, () -> Occupant.ANONYMOUS, 1);
        }
    }

    /** A node, and what it is taken to cost. */
    private record Place(Verdict verdict, double cost) {}

    /** Ranks as long as it takes. */
    List<Verdict> rank(Newcomer newcomer, List<Candidate> candidates) {
        return rank(newcomer, candidates, () -> false);
    }

    /**
     * Returns a verdict for each fitting candidate, in the order to try them.
     *
     * @param candidates in the parent's order
     * @param enough whether no further candidate is to be scored
     */
    List<Verdict> rank(Newcomer newcomer, List<Candidate> candidates, BooleanSupplier enough) {
        List<Verdict> inParentsOrder = new ArrayList<>();
        int scored = 0;
        boolean tagged = false;
        for (Candidate candidate : candidates) {
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

    private Verdict verdict(Newcomer newcomer, Candidate candidate) {
        NodeCompany company = candidate.load().map(NodeLoad::company).orElseGet(candidate.company());
        double penalty = tagPenalty * company.breaches(newcomer.wishes(), newcomer.occupant());
        int silences = company.silences(newcomer.wishes());
        if (candidate.load().isEmpty()) {
            return neutral(newcomer, candidate, Verdict.Reason.NEUTRAL_NO_SAMPLE, penalty, silences);
        }
        if (newcomer.kind().isEmpty()) {
            return neutral(newcomer, candidate, Verdict.Reason.NEUTRAL_UNKNOWN, penalty, silences);
        }
        TaskKind kind = newcomer.kind().get();
        NodeLoad.Cost cost = candidate.load().get().cost(kind);
        if (!cost.known()) {
            return neutral(newcomer, candidate, Verdict.Reason.NEUTRAL_UNKNOWN, penalty, silences);
        }
        return new Verdict(
                candidate.node(),
                Verdict.Reason.RANKED,
                cost.own(),
                cost.added(),
                localityCosts.get(candidate.locality()).toMillis() / 1000.0 / kind.runSeconds(),
                cost.pressure(),
                newcomer.weight(),
                penalty + apart(newcomer, cost.own(), silences),
                candidate.measuredAt());
    }

    private Verdict neutral(
            Newcomer newcomer, Candidate candidate, Verdict.Reason reason, double penalty, int silences) {
        return Verdict.neutral(candidate.node(), reason, penalty + apart(newcomer, 1, silences));
    }

    /** Returns what it adds to the newcomer's cost that it is apart from those whom it talks to. */
    private double apart(Newcomer newcomer, double ownSlowdown, int silences) {
        return silences == 0 ? 0 : newcomer.weight() * ownSlowdown * (Math.pow(affinityFactor, silences) - 1);
    }
}
