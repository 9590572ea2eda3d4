package org.interference.yarn.capacity;

import java.time.Duration;
import java.time.Instant;

/**
 * What is remembered of one node between two decisions. Immutable.
 *
 * @param configured what was configured then
 * @param decided when
 * @param changed when it last grew, went back, or was made smaller for want of memory; {@link Instant#MIN} if never
 * @param calm when tasks were last not stalled for a CPU or a disk
 * @param served when nobody who may have what is configured was kept off it
 * @param waited when somebody last waited
 * @param heldOffUntil before which it does not grow
 * @param backs how often in a row it had to go back
 * @param evicted when containers last had to go
 * @param anew whether somebody has configured another size since
 */
record Past(
        Size configured,
        Instant decided,
        Instant changed,
        Instant calm,
        Instant served,
        Instant waited,
        Instant heldOffUntil,
        int backs,
        Instant evicted,
        boolean anew) {
    private static final Duration FIRST_HOLD_OFF = Duration.ofMinutes(1);
    /** An hour is longer than sixty times a minute, so further doubling changes nothing. */
    private static final int MOST_DOUBLINGS = 6;
    /** After so long without trouble the next hold-off is the first again. */
    private static final Duration FORGIVEN = Duration.ofHours(1);

    static Past of(Size configured, Instant now) {
        return new Past(configured, now, Instant.MIN, now, now, Instant.MIN, Instant.MIN, 0, Instant.MIN, false);
    }

    /** Returns this for a node that is configured so large now. */
    Past at(Size nowConfigured) {
        if (nowConfigured.equals(configured)) {
            return this;
        }
        Past fresh = of(nowConfigured, decided);
        return new Past(
                nowConfigured,
                decided,
                decided,
                calm,
                served,
                fresh.waited,
                fresh.heldOffUntil,
                fresh.backs,
                fresh.evicted,
                true);
    }

    /** Returns this of a node that has had to go back at {@code now}: it holds off for twice as long as the last time. */
    Past heldOff(Instant now) {
        if (now.isBefore(heldOffUntil)) {
            return this;
        }
        boolean again = backs > 0 && now.isBefore(heldOffUntil.plus(FORGIVEN));
        int times = again ? Math.min(backs, MOST_DOUBLINGS) : 0;
        return new Past(
                configured,
                decided,
                changed,
                calm,
                served,
                waited,
                now.plus(FIRST_HOLD_OFF.multipliedBy(1L << times)),
                times + 1,
                evicted,
                anew);
    }

    /** Returns this after a decision at {@code now}. */
    Past then(
            Instant now,
            Instant lastChanged,
            Instant lastCalm,
            Instant lastServed,
            Instant lastWaited,
            Instant lastEvicted) {
        return new Past(
                configured,
                now,
                lastChanged,
                lastCalm,
                lastServed,
                lastWaited,
                heldOffUntil,
                backs,
                lastEvicted,
                false);
    }
}
