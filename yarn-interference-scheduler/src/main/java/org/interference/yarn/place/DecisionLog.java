package org.interference.yarn.place;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The newest decisions, and how many there were of each kind. Thread-safe. */
final class DecisionLog {
    private final Deque<Decision> newestFirst = new ArrayDeque<>();
    private final Map<Ranking.Reason, Long> counts = new EnumMap<>(Ranking.Reason.class);
    private long sequence;

    synchronized void add(Instant at, String container, String chosen, Ranking ranking, int kept) {
        newestFirst.addFirst(new Decision(++sequence, at, container, chosen, ranking));
        counts.merge(ranking.reason(), 1L, Long::sum);
        while (newestFirst.size() > kept) {
            newestFirst.removeLast();
        }
    }

    /** Returns at most {@code limit} decisions, newest first. */
    synchronized List<Decision> newest(int limit) {
        List<Decision> newest = new ArrayList<>(Math.min(limit, newestFirst.size()));
        for (Decision decision : newestFirst) {
            if (newest.size() == limit) {
                break;
            }
            newest.add(decision);
        }
        return List.copyOf(newest);
    }

    /** Returns the newest decision about {@code container}. */
    synchronized Optional<Decision> of(String container) {
        return newestFirst.stream()
                .filter(decision -> decision.container().equals(container))
                .findFirst();
    }

    synchronized Map<Ranking.Reason, Long> counts() {
        EnumMap<Ranking.Reason, Long> all = new EnumMap<>(Ranking.Reason.class);
        for (Ranking.Reason reason : Ranking.Reason.values()) {
            all.put(reason, counts.getOrDefault(reason, 0L));
        }
        return all;
    }
}
