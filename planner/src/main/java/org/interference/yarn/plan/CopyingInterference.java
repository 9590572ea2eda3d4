package org.interference.yarn.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Interference, and the CPU that it costs to talk: each end of an affinity takes some, on its own machine, whether the other end is there or
 * not, and an end that says nothing of the affinity takes as much as the one that does. A machine's factor is the other one's times all of
 * that. Immutable, if what it adds to is.
 *
 * <p>Who talks disturbs also itself by it: who copies its data does not do its work meanwhile. So it counts on a machine with a single talker, too.
 */
public final class CopyingInterference implements Interference {
    private static final Talks NOBODY = new Talks(new String[0], new double[0], new double[0]);

    private final Interference others;
    private final Copies copies;
    private final Map<String, Talks> talks;

    /** Whom one tier talks to, and what either costs; by their places. */
    private static final class Talks {
        final String[] partners;
        final double[] away;
        final double[] together;

        Talks(String[] partners, double[] away, double[] together) {
            this.partners = partners;
            this.away = away;
            this.together = together;
        }
    }

    /** @param tiers all there are, with what machines hold already */
    public CopyingInterference(Interference others, Copies copies, List<Tier> tiers) {
        this.others = others;
        this.copies = copies;
        Map<String, Map<String, Double>> affinities = new HashMap<>();
        for (Tier tier : tiers) {
            tier.affinities().forEach((partner, factor) -> {
                affinities
                        .computeIfAbsent(tier.name(), first -> new HashMap<>())
                        .merge(partner, factor, Math::max);
                affinities.computeIfAbsent(partner, first -> new HashMap<>()).merge(tier.name(), factor, Math::max);
            });
        }
        talks = new HashMap<>();
        affinities.forEach((name, partners) -> talks.put(name, talks(partners)));
    }

    private Talks talks(Map<String, Double> affinities) {
        String[] partners = affinities.keySet().stream().sorted().toArray(String[]::new);
        double[] away = new double[partners.length];
        double[] together = new double[partners.length];
        for (int i = 0; i < partners.length; i++) {
            away[i] = copies.ofTalk(affinities.get(partners[i]), false);
            together[i] = copies.ofTalk(affinities.get(partners[i]), true);
        }
        return new Talks(partners, away, together);
    }

    @Override
    public double factor(List<Tier> together) {
        double factor = others.factor(together);
        for (int i = 0; i < together.size(); i++) {
            factor *= talkOf(together, i);
        }
        return factor;
    }

    /** Returns by what factor the one at {@code index} slows down others on the CPU because it talks. */
    private double talkOf(List<Tier> together, int index) {
        Talks its = talks.getOrDefault(together.get(index).name(), NOBODY);
        double factor = 1;
        for (int i = 0; i < its.partners.length; i++) {
            factor *= isThere(together, its.partners[i]) ? its.together[i] : its.away[i];
        }
        return factor;
    }

    private static boolean isThere(List<Tier> together, String name) {
        for (int i = 0; i < together.size(); i++) {
            if (together.get(i).name().equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** With what talking takes from it: all of it, if it uses the CPU; its own, if it does not. */
    @Override
    public double slowdown(List<Tier> together, int index) {
        double slowdown = others.slowdown(together, index);
        boolean usesCpu = together.get(index).degradation().cpu() > 1;
        for (int i = 0; i < together.size(); i++) {
            slowdown *= usesCpu || i == index ? talkOf(together, i) : 1;
        }
        return slowdown;
    }

    @Override
    public List<Term> terms(List<Tier> together) {
        List<Term> terms = new ArrayList<>(others.terms(together));
        double factor = 1;
        List<String> talkers = new ArrayList<>();
        for (int i = 0; i < together.size(); i++) {
            double its = talkOf(together, i);
            factor *= its;
            if (its > 1) {
                talkers.add(together.get(i).name());
            }
        }
        if (factor > 1) {
            terms.add(new Term("cpu for talk", factor, talkers));
        }
        return terms;
    }

    /** A partner that comes takes traffic off the network. */
    @Override
    public boolean growsWithCompany() {
        return others.growsWithCompany() && copies.network() <= copies.loopback();
    }
}
