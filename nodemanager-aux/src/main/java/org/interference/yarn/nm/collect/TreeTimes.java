package org.interference.yarn.nm.collect;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.interference.yarn.nm.attribute.ProcessEntry;

/**
 * The time on a CPU of a tree of processes, in clock ticks since it was first looked at. What a process used that ended between two looks
 * is in the count of the one that waited for it; of one that nobody of the tree waited for, it is lost.
 */
final class TreeTimes {
    /** What processes used that began between two looks can be more than the time between them by so much: ticks are coarse. */
    private static final int ROUNDING = 2;

    private Map<Long, ProcessEntry> last = Map.of();
    private boolean looked;
    private long sum;

    /**
     * Adds one look.
     *
     * @param mostTicks that one process can have used since the last look; one that has used more is older, and joined the tree with a past
     */
    long add(Collection<ProcessEntry> processes, long mostTicks) {
        Map<Long, ProcessEntry> now = new HashMap<>();
        processes.forEach(process -> now.put(process.pid(), process));
        if (looked) {
            sum += growth(now, mostTicks + ROUNDING);
        }
        last = now;
        looked = true;
        return sum;
    }

    private long growth(Map<Long, ProcessEntry> now, long mostTicks) {
        long own = 0;
        long waited = 0;
        for (ProcessEntry process : now.values()) {
            ProcessEntry before = last.get(process.pid());
            if (before != null && before.startTicks() == process.startTicks()) {
                own += Math.max(0, process.ownTicks() - before.ownTicks());
                waited += Math.max(0, process.waitedTicks() - before.waitedTicks());
            } else if (process.allTicks() <= mostTicks) {
                own += process.allTicks();
            }
        }
        long counted = last.values().stream()
                .filter(before -> !isStillThere(before, now))
                .mapToLong(ProcessEntry::allTicks)
                .sum();
        return own + Math.max(0, waited - counted);
    }

    private static boolean isStillThere(ProcessEntry before, Map<Long, ProcessEntry> now) {
        ProcessEntry process = now.get(before.pid());
        return process != null && process.startTicks() == before.startTicks();
    }
}
