package org.interference.yarn.profile;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * How much each user may add to a profile that users share. Thread-safe, bounded.
 *
 * <p>Of the newest {@value #NEWEST} samples of a key, which are what its means stand on, no user has more than a quarter and one, or with
 * fewer than four users than an equal share and one. Who has been alone for a day has all of it.
 */
final class UserShares {
    private static final int NEWEST = 32;
    private static final int LEAST_SHARE = NEWEST / 4;
    private static final Duration KEPT = Duration.ofDays(1);
    /** Of further keys, those asked for longest ago begin anew. */
    private static final int MOST_KEYS = 1000;

    private final Map<TaskKey, Deque<Sample>> newest = new LinkedHashMap<>(16, 0.75f, true);

    private record Sample(String user, Instant at) {}

    /** Returns whether a sample of {@code user} may be added to the profile of {@code key}; if so, it counts as added. */
    synchronized boolean admits(TaskKey key, String user, Instant now) {
        Deque<Sample> samples = newest.computeIfAbsent(key, first -> new ArrayDeque<>(NEWEST + 1));
        if (newest.size() > MOST_KEYS) {
            newest.remove(newest.keySet().iterator().next());
        }
        samples.removeIf(sample -> sample.at().isBefore(now.minus(KEPT)));
        Set<String> users = new HashSet<>(Set.of(user));
        int own = 0;
        for (Sample sample : samples) {
            users.add(sample.user());
            own += sample.user().equals(user) ? 1 : 0;
        }
        boolean admitted = users.size() == 1 || own <= Math.max(LEAST_SHARE, NEWEST / users.size());
        if (admitted) {
            samples.addLast(new Sample(user, now));
            if (samples.size() > NEWEST) {
                samples.removeFirst();
            }
        }
        return admitted;
    }
}
