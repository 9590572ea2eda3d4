package org.interference.yarn.place;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * By how much the placements would have differed from the parent's, by queue: what there is to gain, before anybody switches on. Only
 * placements in mode {@link Mode#SHADOW}, where the parent chose. Thread-safe.
 */
public final class Differences {
    /** So many queues are told apart; what comes later is counted together. */
    private static final int MOST_QUEUES = 1000;
    /** The name under which further queues are counted. */
    private static final String OTHERS = "(others)";

    private final Map<String, Queue> queues = new LinkedHashMap<>();

    /**
     * What was seen in one queue since the settings were read. Immutable. Slowdowns are predictions: 1.0 is no interference.
     *
     * @param placements that were ranked; others cannot differ
     * @param differing how many of them would have gone to another node, which is cheaper
     * @param parentsSlowdown sum of the newcomers' own slowdowns on the nodes that the parent chose
     * @param bestSlowdown the same on the best node that there was
     * @param savedCost sum of what the best node costs less, in slowdowns of newcomer and neighbours
     * @param savedSeconds the same in seconds of the kinds' mean run times
     * @param savedSecondsSquared sum of the squares of each placement's seconds, for an interval
     */
    public record Queue(
            long placements,
            long differing,
            double parentsSlowdown,
            double bestSlowdown,
            double savedCost,
            double savedSeconds,
            double savedSecondsSquared) {
        static final Queue NONE = new Queue(0, 0, 0, 0, 0, 0, 0);

        Queue with(Verdict parents, Verdict best, double runSeconds) {
            double cost = parents.cost() - best.cost();
            double seconds = cost * runSeconds;
            return new Queue(
                    placements + 1,
                    differing + (parents.node().equals(best.node()) ? 0 : 1),
                    parentsSlowdown + parents.ownSlowdown(),
                    bestSlowdown + best.ownSlowdown(),
                    savedCost + cost,
                    savedSeconds + seconds,
                    savedSecondsSquared + seconds * seconds);
        }
    }

    /** Notes that the parent has placed what {@code ranking} is about on {@code node}. */
    void add(Ranking ranking, String node) {
        if (ranking.mode() != Mode.SHADOW || ranking.reason() != Ranking.Reason.RANKED) {
            return;
        }
        Optional<Verdict> parents = ranking.verdicts().stream()
                .filter(verdict -> verdict.node().equals(node) && verdict.reason() == Verdict.Reason.RANKED)
                .findFirst();
        Optional<Verdict> best = ranking.verdicts().stream()
                .filter(verdict -> verdict.reason() == Verdict.Reason.RANKED)
                .findFirst();
        if (parents.isEmpty() || best.isEmpty()) {
            return;
        }
        double runSeconds = ranking.profile()
                .map(profile -> profile.runTimeSeconds().mean())
                .orElse(0.0);
        synchronized (queues) {
            String queue = ranking.request().queue();
            String name = queues.containsKey(queue) || queues.size() < MOST_QUEUES ? queue : OTHERS;
            queues.merge(
                    name,
                    Queue.NONE.with(parents.get(), best.get(), runSeconds),
                    (known, first) -> known.with(parents.get(), best.get(), runSeconds));
        }
    }

    /** Returns what was seen, by the full path of the queue. */
    Map<String, Queue> byQueue() {
        synchronized (queues) {
            return new TreeMap<>(queues);
        }
    }

    void clear() {
        synchronized (queues) {
            queues.clear();
        }
    }
}
