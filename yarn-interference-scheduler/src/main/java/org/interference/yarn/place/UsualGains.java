package org.interference.yarn.place;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What each of several contenders has lately gained on the nodes that were offered to it: the exponentially weighted mean over
 * the offers. Thread-safe; time is an argument.
 *
 * @param <K> what contenders are alike by
 */
public final class UsualGains<K> {
    /** Weight of the newest offer. From 0.2 to 0.5 the simulator's answers hardly differ; far less follows a cluster that fills too slowly. */
    private static final double NEWEST = 0.2;

    private static final Duration REMEMBERED = Duration.ofMinutes(10);

    private final ConcurrentMap<K, Usual> usual = new ConcurrentHashMap<>();

    private record Usual(double gain, Instant at) {
        Usual then(Usual newest) {
            return new Usual(gain + NEWEST * (newest.gain - gain), newest.at);
        }
    }

    /** Takes note of a node that was offered, on which {@code contender} would gain so much, and returns how much more than usually that is. */
    public double offered(K contender, double gain, Instant now) {
        return gain - usual.merge(contender, new Usual(gain, now), Usual::then).gain;
    }

    /** Forgets those to whom nothing was offered for ten minutes. */
    public void sweep(Instant now) {
        usual.values().removeIf(lately -> lately.at.plus(REMEMBERED).isBefore(now));
    }
}
