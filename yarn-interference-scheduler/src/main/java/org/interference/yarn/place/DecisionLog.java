package org.interference.yarn.place;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The newest decisions, and how many there were of each kind. Thread-safe; whoever reads takes no lock that whoever adds waits for, and
 * sees what was there when it began, and perhaps not what has become too old meanwhile.
 */
final class DecisionLog {
    /** Bounds the heap, however many decisions are to be kept of however many nodes: a verdict takes about 100 bytes. */
    static final int MOST_VERDICTS = 200_000;

    private final Deque<Decision> newestFirst = new ConcurrentLinkedDeque<>();
    private final Map<Ranking.Reason, Long> counts = new EnumMap<>(Ranking.Reason.class);
    private long sequence;
    private int size;
    private long verdicts;

    synchronized void add(Instant at, String container, String chosen, Ranking ranking, int kept) {
        newestFirst.addFirst(new Decision(++sequence, at, container, chosen, ranking));
        counts.merge(ranking.reason(), 1L, Long::sum);
        size++;
        verdicts += ranking.verdicts().size();
        while (size > kept || (verdicts > MOST_VERDICTS && size > 1)) {
            size--;
            verdicts -= newestFirst.removeLast().ranking().verdicts().size();
        }
    }

    /** Returns at most {@code limit} decisions, newest first. */
    List<Decision> newest(int limit) {
        List<Decision> newest = new ArrayList<>();
        for (Decision decision : newestFirst) {
            if (newest.size() == limit) {
                break;
            }
            newest.add(decision);
        }
        return List.copyOf(newest);
    }

    /** Returns the newest decision about {@code container}. */
    Optional<Decision> of(String container) {
        return newestFirst.stream()
                .filter(decision -> decision.container().equals(container))
                .findFirst();
    }

    /** Returns the newest decision about each of {@code containers}. */
    Map<String, Decision> of(Set<String> containers) {
        Map<String, Decision> known = new HashMap<>();
        for (Decision decision : newestFirst) {
            if (containers.contains(decision.container())) {
                known.putIfAbsent(decision.container(), decision);
            }
        }
        return known;
    }

    synchronized Map<Ranking.Reason, Long> counts() {
        EnumMap<Ranking.Reason, Long> all = new EnumMap<>(Ranking.Reason.class);
        for (Ranking.Reason reason : Ranking.Reason.values()) {
            all.put(reason, counts.getOrDefault(reason, 0L));
        }
        return all;
    }
}
