package org.interference.yarn.place;

import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One container's placement and its reason. Immutable.
 *
 * @param sequence grows with every decision of this ResourceManager's life
 * @param chosen the node that the container went to
 */
public record Decision(long sequence, Instant at, String container, String chosen, Ranking ranking) {
    private static final int NODES_EXPLAINED = 3;

    /** Returns a sentence for people. */
    public String explain() {
        String placed = explainPlaced();
        return ranking.offered()
                .map(offered -> placed + "; " + offered.explain())
                .orElse(placed);
    }

    private String explainPlaced() {
        List<Verdict> verdicts = ranking.verdicts();
        String order =
                verdicts.stream().limit(NODES_EXPLAINED).map(Verdict::explain).collect(Collectors.joining("; "));
        return switch (ranking.reason()) {
            case RANKED, RANKED_BY_TAGS ->
                ranking.mode() == Mode.ON
                        ? "%s, number %d of %d: %s".formatted(chosen, rank(), verdicts.size(), order)
                        : "the parent chose %s; by %s it is number %d of %d: %s"
                                .formatted(
                                        chosen,
                                        ranking.reason() == Ranking.Reason.RANKED ? "interference" : "tags",
                                        rank(),
                                        verdicts.size(),
                                        order);
            case MATCHED -> "of the tasks that waited for %s, this one was given it".formatted(chosen);
            case PARENT_AM_CONTAINER -> "placed as the parent would: an application master is never moved";
            case PARENT_NO_PROFILE ->
                "placed as the parent would: no profile of "
                        + ranking.request().task().text() + " yet";
            case PARENT_NOTHING_KNOWN -> "placed as the parent would: what it gains is known of no fitting node";
            case PARENT_SINGLE_NODE -> "placed as the parent would: it offered a single node";
            case PARENT_NOT_RANKED -> "placed as the parent would: this kind of request is not ranked";
            case PARENT_NO_TIME -> "placed as the parent would: the scheduler was too busy to rank it";
            case PARENT_TOO_SLOW -> "placed as the parent would: ranking took too long, see health";
            case PARENT_AFTER_ERROR -> "placed as the parent would: ranking failed, see health";
        };
    }

    /** Returns the place of the chosen node in the order, from 1; 0 if it is not in it. */
    public int rank() {
        for (int i = 0; i < ranking.verdicts().size(); i++) {
            if (ranking.verdicts().get(i).node().equals(chosen)) {
                return i + 1;
            }
        }
        return 0;
    }
}
