package org.interference.yarn.relocate;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Holds relocation off for a while after one that did not help: five minutes, then twice as long each time, up to two hours, until one has helped. Not thread-safe. */
final class BackOff {
    private static final Duration FIRST = Duration.ofMinutes(5);
    private static final int MOST_DOUBLINGS = 5;
    private static final Duration LONGEST = Duration.ofHours(2);

    private int failures;
    private Instant until = Instant.MIN;

    void outcome(boolean helped, Instant now) {
        if (helped) {
            failures = 0;
            return;
        }
        Duration pause = FIRST.multipliedBy(1L << Math.min(failures, MOST_DOUBLINGS));
        failures++;
        until = now.plus(pause.compareTo(LONGEST) > 0 ? LONGEST : pause);
    }

    boolean holds(Instant now) {
        return now.isBefore(until);
    }

    /** Returns until when; empty if nothing is held off. */
    Optional<Instant> until(Instant now) {
        return holds(now) ? Optional.of(until) : Optional.empty();
    }
}
