package org.interference.yarn.nm.control;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Compares a node's rate of work before and after a change of policy, and takes the change back where the node got slower by more
 * than noise. Then it holds off, twice as long each time until a change holds. Not thread-safe.
 *
 * <p>A trial compares {@value #WINDOW} ticks before the change with up to as many after it, without the one in which it was made.
 * Noise is the standard deviation of the gain between neighbouring windows in which nothing was changed.
 */
final class StepBack {
    static final int WINDOW = 3;

    private static final double LEAST_LOSS = 0.02;
    private static final double STANDARD_DEVIATIONS = 2;

    /** What the newest gain without a change counts in the variance. */
    private static final double NEWEST = 0.25;

    private final String what;
    private final Gain gain;
    private final Duration firstHoldOff;
    private final Duration longestHoldOff;
    private final Deque<Map<String, Usage>> newest = new ArrayDeque<>();
    private Map<String, Usage> before = Map.of();
    private Map<String, Usage> after = Map.of();
    /** Of the trial; negative where there is none. */
    private int ticks = -1;

    private int quietTicks;
    private Map<String, Usage> quietBefore = Map.of();
    private double variance = LEAST_LOSS * LEAST_LOSS / 4;
    private Duration holdOff;
    private Instant until = Instant.MIN;
    private long count;

    StepBack(String what, Gain gain, Duration firstHoldOff, Duration longestHoldOff) {
        this.what = what;
        this.gain = gain;
        this.firstHoldOff = firstHoldOff;
        this.longestHoldOff = longestHoldOff;
        this.holdOff = firstHoldOff;
    }

    /** Takes what each container used since the last tick; returns why the policy must be taken back, if it must. */
    Optional<String> tick(Instant now, Map<String, Usage> windows) {
        if (ticks >= 0) {
            return trial(now, windows);
        }
        newest.addLast(windows);
        if (newest.size() > WINDOW) {
            newest.removeFirst();
        }
        quietTicks++;
        if (quietTicks % WINDOW == 0) {
            Map<String, Usage> window = sum();
            gain.of(quietBefore, window).ifPresent(found -> variance += NEWEST * (found * found - variance));
            quietBefore = window;
        }
        return Optional.empty();
    }

    private Optional<String> trial(Instant now, Map<String, Usage> windows) {
        ticks++;
        if (ticks == 1) {
            // The change was made in it.
            return Optional.empty();
        }
        after = added(after, windows);
        OptionalDouble found = gain.of(before, after);
        int measured = ticks - 1;
        double noise = STANDARD_DEVIATIONS * Math.sqrt(variance * WINDOW / measured);
        if (found.isPresent() && found.getAsDouble() < -Math.max(LEAST_LOSS, noise)) {
            until = now.plus(holdOff);
            String reason = String.format(
                    Locale.ROOT,
                    "%s made the node's work %.1f %% slower, noise is %.1f %%; stepped back for %d s",
                    what,
                    100 * (1 - Math.exp(found.getAsDouble())),
                    100 * noise,
                    holdOff.toSeconds());
            holdOff = holdOff.multipliedBy(2).compareTo(longestHoldOff) > 0 ? longestHoldOff : holdOff.multipliedBy(2);
            count++;
            end();
            return Optional.of(reason);
        }
        if (measured >= WINDOW) {
            holdOff = firstHoldOff;
            end();
        }
        return Optional.empty();
    }

    private void end() {
        ticks = -1;
        quietTicks = 0;
        quietBefore = Map.of();
        newest.clear();
    }

    /** The policy is about to be changed. A trial in progress goes on against what was before it. */
    void changed() {
        if (ticks < 0) {
            before = sum();
            after = Map.of();
            ticks = 0;
        }
    }

    boolean isTrying() {
        return ticks >= 0;
    }

    boolean holdsOff(Instant now) {
        return now.isBefore(until);
    }

    /** How often it stepped back. */
    long count() {
        return count;
    }

    private Map<String, Usage> sum() {
        Map<String, Usage> sum = Map.of();
        for (Map<String, Usage> windows : newest) {
            sum = added(sum, windows);
        }
        return sum;
    }

    private static Map<String, Usage> added(Map<String, Usage> first, Map<String, Usage> second) {
        Map<String, Usage> sum = new HashMap<>(first);
        second.forEach((container, usage) -> sum.merge(container, usage, Usage::plus));
        return sum;
    }
}
