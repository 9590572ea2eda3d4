package org.interference.yarn.place;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import org.interference.yarn.place.Matching.Contender;

/**
 * What each of those who wait bids for a node: its gain there, how much that may be at most, and by how much it exceeds what such tasks gain usually
 * ({@link UsualGains}). By the gain alone harmless tasks, and those whose harm is not measured, would get every node, and the harmful ones be left to each other
 * (ADR-0016). What tags say of whoever is there counts against the excess ({@link TagCosts}). Thread-safe; time is an argument.
 */
final class Bids {
    private final Supplier<TagCosts> tagCosts;
    private final UsualGains<Alike> usual = new UsualGains<>();

    /** What does not change when a kind's profile does. */
    private record Alike(String kind, double weight) {
        static Alike of(Contender contender) {
            return new Alike(contender.kind().name(), contender.weight());
        }
    }

    /** @param tagCosts in force */
    Bids(Supplier<TagCosts> tagCosts) {
        this.tagCosts = tagCosts;
    }

    /** Returns the bid of each of {@code waiting}, and takes note of what they gain. */
    List<Offer.Bid> of(List<Contender> waiting, NodeLoad load, Instant now) {
        List<Offer.Bid> bids = new ArrayList<>(waiting.size());
        double[] excesses = new double[waiting.size()];
        for (int i = 0; i < excesses.length; i++) {
            bids.add(bid(waiting, i, load, excesses, now));
        }
        return bids;
    }

    /** @param excesses of those before it, to which its own is added */
    private Offer.Bid bid(List<Contender> waiting, int who, NodeLoad load, double[] excesses, Instant now) {
        Contender contender = waiting.get(who);
        NodeLoad.Cost cost = load.cost(contender.kind());
        Offer.Bid bid = gainOf(contender, cost);
        if (!bid.isKnown()) {
            return bid;
        }
        int same = firstThatIsAlike(waiting, who);
        excesses[who] = same < who ? excesses[same] : usual.offered(Alike.of(contender), bid.gain(), now);
        double tags = tags(contender, load, cost.own());
        return new Offer.Bid(bid.gain(), bid.atMost(), excesses[who] - tags, contender.weight());
    }

    /** Returns what {@code contender} would gain there, above nothing: what it gains usually, and tags, are no part of it. */
    static Offer.Bid gainOf(Contender contender, NodeLoad load) {
        return gainOf(contender, load.cost(contender.kind()));
    }

    private static Offer.Bid gainOf(Contender contender, NodeLoad.Cost cost) {
        if (!cost.known()) {
            return Offer.Bid.UNKNOWN;
        }
        double gain = gain(cost, contender);
        OptionalDouble margin = contender.kind().margin();
        double atMost = margin.isPresent()
                ? gain + margin.getAsDouble() * cost.spread(contender.weight())
                : Double.POSITIVE_INFINITY;
        return new Offer.Bid(gain, atMost, gain);
    }

    /** Of several that are alike one is offered the node. They are few, so that looking is quicker than hashing. */
    private static int firstThatIsAlike(List<Contender> waiting, int who) {
        Contender contender = waiting.get(who);
        int first = 0;
        while (first < who && !contender.isLike(waiting.get(first))) {
            first++;
        }
        return first;
    }

    /** Returns what tags cost there: a preference, which is no part of the gain, so that no node is left for it. */
    private double tags(Contender contender, NodeLoad load, double slowdown) {
        return contender.applicant().isEmpty()
                ? 0
                : tagCosts.get().of(contender.applicant().get(), load.company(), contender.weight(), slowdown);
    }

    private static double gain(NodeLoad.Cost cost, Contender contender) {
        return cost.gain() + (contender.weight() - 1) * (1 / cost.own() - 1);
    }

    void sweep(Instant now) {
        usual.sweep(now);
    }
}
