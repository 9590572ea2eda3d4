package org.interference.yarn.place;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/** What was decided about containers that YARN has committed, and by how much it differs from the parent's choice. Thread-safe. */
public final class Decisions {
    private final DecisionLog log = new DecisionLog();
    private final Differences differences = new Differences();
    private final LongAdder proposalsDropped = new LongAdder();
    private final LongAdder unaccounted = new LongAdder();

    /**
     * Records a placement.
     *
     * @param kept how many are kept
     */
    void committed(String container, String node, Ranking ranking, int kept, Instant now) {
        log.add(now, container, node, ranking, kept);
        differences.add(ranking, node, now);
    }

    /** Counts a proposal that was not committed. */
    void dropped() {
        proposalsDropped.increment();
    }

    /** Counts a committed container that is not accounted for. */
    public void unaccounted() {
        unaccounted.increment();
    }

    /** Returns the newest, at most {@code limit}, the newest first. */
    public List<Decision> newest(int limit) {
        return log.newest(limit);
    }

    /** Returns the decision about a container; empty if it is not among those that are kept. */
    public Optional<Decision> of(String container) {
        return log.of(container);
    }

    /** Returns the newest decision about each of {@code containers}, as far as they are kept. */
    public Map<String, Decision> of(Set<String> containers) {
        return log.of(containers);
    }

    /** Returns by how much the parent's placements in shadow differ from the best. */
    public Differences differences() {
        return differences;
    }

    /** Returns how many there were for each reason. */
    public Map<Ranking.Reason, Long> counts() {
        return log.counts();
    }

    /** Returns how many proposals were not committed. */
    public long proposalsDropped() {
        return proposalsDropped.sum();
    }

    /** Returns how many committed containers are not accounted for, because too many waited to be. */
    public long notAccountedFor() {
        return unaccounted.sum();
    }
}
