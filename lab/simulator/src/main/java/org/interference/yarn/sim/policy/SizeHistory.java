package org.interference.yarn.sim.policy;

import java.time.Instant;
import java.util.TreeMap;

/** How much memory the nodes of a run had together, second by second, MiB. Not thread-safe. */
public final class SizeHistory {
    private final TreeMap<Instant, Long> totals = new TreeMap<>();

    /** Notes that one more node had {@code size} at {@code now}. */
    void add(Instant now, long memoryMb) {
        totals.merge(now, memoryMb, Long::sum);
    }

    /** Returns what they had at {@code now}, or the mean of the whole run once it is over. */
    double at(Instant now) {
        if (totals.isEmpty()) {
            return 0;
        }
        return now.isAfter(totals.lastKey())
                ? totals.values().stream().mapToLong(total -> total).average().orElse(0)
                : totals.ceilingEntry(now).getValue();
    }
}
