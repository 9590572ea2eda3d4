package org.interference.yarn.place;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * An offer of a node as it was decided, for whoever asks later. Immutable.
 *
 * @param node that was free
 * @param mode in which it was decided; only {@link Mode#ON} is obeyed
 * @param contenders who might be served, in the parent's order; the parent would serve the first
 * @param decision who gets the node, by place among {@code contenders}
 */
public record Offered(String node, Mode mode, List<Contending> contenders, Offer.Decision decision) {
    private static final int CONTENDERS_EXPLAINED = 3;

    /**
     * One who might be served.
     *
     * @param ownSlowdown predicted there, {@code >= 1}; 1 if it is not known
     * @param runSeconds mean run time of its kind, as {@link TaskKind#runSeconds}
     */
    public record Contending(double ownSlowdown, double runSeconds, Offer.Bid bid) {}

    public Offered {
        contenders = List.copyOf(contenders);
    }

    /** Returns whether the parent would have done something else. */
    public boolean differs() {
        return decision.reason() == Offer.Reason.BETTER || decision.reason() == Offer.Reason.LEFT;
    }

    /**
     * Returns the work that the node gets done more in a second than if the parent's first were served, in tasks alone; 0 where the parent's
     * first is. A node that is left does what it did: a gain of 0.
     */
    public double saved() {
        if (!differs()) {
            return 0;
        }
        double instead = decision.winner().isPresent()
                ? contenders.get(decision.winner().getAsInt()).bid().gain()
                : 0;
        return instead - contenders.get(0).bid().gain();
    }

    /** Returns the same in seconds of work alone, over the mean run time of the parent's first. */
    public double savedSeconds() {
        return differs() ? saved() * contenders.get(0).runSeconds() : 0;
    }

    /** Returns the sample variance of the contenders' gains that are {@linkplain #predictions predicted}; 0 of fewer than two. */
    double varianceOfGains() {
        double[] gains = predictions().mapToDouble(Prediction::gain).toArray();
        double mean = Arrays.stream(gains).average().orElse(0);
        return gains.length < 2
                ? 0
                : Arrays.stream(gains)
                                .map(gain -> (gain - mean) * (gain - mean))
                                .sum()
                        / (gains.length - 1);
    }

    /** Returns the mean variance of the errors that these gains are taken to have; 0 of fewer than two. */
    double varianceOfErrors() {
        return predictions().count() < 2
                ? 0
                : predictions()
                        .mapToDouble(one -> Math.pow((one.atMost() - one.gain()) / Matching.DEVIATIONS, 2))
                        .average()
                        .orElse(0);
    }

    /** A gain, and the upper end of its interval. */
    private record Prediction(double gain, double atMost) {}

    /** Returns the gains whose errors are known, without which they say nothing of each other; of contenders that are alike it is one. */
    private Stream<Prediction> predictions() {
        return contenders.stream()
                .map(Contending::bid)
                .filter(bid -> bid.isKnown() && Double.isFinite(bid.atMost()))
                .map(bid -> new Prediction(bid.gain(), bid.atMost()))
                .distinct();
    }

    /** Returns whether the winner is not the parent's first because its slowdown counts more. */
    private boolean isForItsWeight() {
        Offer.Bid winner = contenders.get(decision.winner().getAsInt()).bid();
        return winner.countsMoreThan(contenders.get(0).bid());
    }

    /** Returns a sentence for people, without the names of those who waited: they may be other tenants'. */
    String explain() {
        StringBuilder gains = new StringBuilder();
        for (int i = 0; i < Math.min(CONTENDERS_EXPLAINED, contenders.size()); i++) {
            Offer.Bid bid = contenders.get(i).bid();
            gains.append(i == 0 ? "; the parent's first" : "; number " + (i + 1))
                    .append(
                            bid.isKnown()
                                    ? String.format(
                                            Locale.ROOT,
                                            " would gain %.2f, %+.2f against usual",
                                            bid.gain(),
                                            bid.excess())
                                    : " would gain what nobody knows");
        }
        String what =
                switch (decision.reason()) {
                    case FIRST -> "to the parent's first";
                    case BETTER ->
                        "to number %d, whom it suits %s"
                                .formatted(
                                        decision.winner().getAsInt() + 1,
                                        isForItsWeight() ? "as well, and whose slowdown counts more" : "better");
                    case OVERDUE -> "to the parent's first, who had waited for as long as it may";
                    case LEFT -> "to nobody, because any of them would have made it slower";
                    case UNKNOWN -> "to whom the parent chooses, because nothing was known of its first";
                };
        return "of %d that waited for %s it %s %s%s"
                .formatted(contenders.size(), node, mode == Mode.ON ? "went" : "would have gone", what, gains);
    }
}
