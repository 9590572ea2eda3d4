package org.interference.yarn.place;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.interference.yarn.fault.Faults;

/**
 * Turns the plugin from on to shadow after too many errors of its decisions within ten minutes, or after too much time that they took for
 * nothing, and says why. It closes by itself: for ten minutes everything is as the parent decides, then for ten minutes decisions are used
 * on trial, and if few enough of either fail it is closed. Thread-safe.
 */
final class Breaker {
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final int MINUTES_COUNTED = 10;
    /** For so long nothing is even looked at, if decisions took too long. */
    private static final long NOTHING_NANOS = 5 * MINUTE;

    private static final long SHADOW_NANOS = 10 * MINUTE;
    private static final long TRIAL_NANOS = 20 * MINUTE;
    /** Before it is closed again, this part of the errors that are allowed opens it anew. */
    private static final int PART_ON_TRIAL = 10;

    /** What decisions that took too long may come to. */
    private static final long MOST_LOST_NANOS = 1_000_000_000;

    private static final long MOST_LOST_ON_TRIAL_NANOS = 300_000_000;
    /** A pause of the machine, however long, counts as no more than this. */
    private static final long MOST_OF_ONE_NANOS = 100_000_000;
    /** A pause now and then is nobody's fault: lost time is forgotten at this share of all time. */
    private static final double FORGOTTEN = 0.01;

    private final int errorsAllowed;
    private final LongSupplier ticker;
    /** Errors of the latest minutes; the minute that a slot is of is in {@link #minutes}. */
    private final int[] errors = new int[MINUTES_COUNTED];

    private final long[] minutes = new long[MINUTES_COUNTED];
    private int errorsSinceOpened;
    private volatile Opened opened;
    private double lostNanos;
    private long lostAt;

    /** @param slow whether decisions took too long */
    private record Opened(long at, String reason, boolean slow) {}

    private enum State {
        CLOSED,
        NOTHING,
        SHADOW,
        TRIAL
    }

    /**
     * @param errorsAllowed the error with this number opens the breaker
     * @param ticker nanoseconds of a clock that goes steadily; while one stands still, nothing is forgotten and nothing closes
     */
    Breaker(int errorsAllowed, LongSupplier ticker) {
        this.errorsAllowed = errorsAllowed;
        this.ticker = ticker;
        this.lostAt = ticker.getAsLong();
    }

    synchronized void error(Throwable error) {
        long now = ticker.getAsLong();
        count(now);
        State state = state(now);
        errorsSinceOpened = state == State.CLOSED ? 0 : errorsSinceOpened + 1;
        boolean tooMany = state == State.CLOSED
                ? errors(now) >= errorsAllowed
                : errorsSinceOpened >= Math.max(1, errorsAllowed / PART_ON_TRIAL);
        if (tooMany) {
            open(
                    now,
                    "%d errors within %d minutes, the last: %s at %s"
                            .formatted(
                                    errors(now),
                                    MINUTES_COUNTED,
                                    error.getClass().getName(),
                                    Faults.place(error)),
                    false);
        }
    }

    /** Notes a decision that has just ended and took too long. */
    synchronized void tooSlow(long nanos) {
        long now = ticker.getAsLong();
        if (lostNanos > 0 && now - nanos < lostAt) {
            // A pause that holds up several threads is one.
            return;
        }
        lostNanos = Math.min(nanos, MOST_OF_ONE_NANOS) + Math.max(0, lostNanos - FORGOTTEN * (now - lostAt));
        lostAt = now;
        if (lostNanos >= (state(now) == State.CLOSED ? MOST_LOST_NANOS : MOST_LOST_ON_TRIAL_NANOS)) {
            open(now, "decisions that took too long came to %.1f s".formatted(lostNanos / MOST_LOST_NANOS), true);
            lostNanos = 0;
        }
    }

    private void open(long now, String reason, boolean slow) {
        boolean again = isOpen(state(now));
        opened = new Opened(now, again ? opened.reason() : reason, slow || (again && opened.slow()));
        errorsSinceOpened = 0;
    }

    private void count(long now) {
        long minute = Math.floorDiv(now, MINUTE);
        int slot = (int) Math.floorMod(minute, (long) MINUTES_COUNTED);
        errors[slot] = minutes[slot] == minute ? errors[slot] + 1 : 1;
        minutes[slot] = minute;
    }

    private int errors(long now) {
        long oldest = Math.floorDiv(now, MINUTE) - MINUTES_COUNTED;
        int sum = 0;
        for (int slot = 0; slot < MINUTES_COUNTED; slot++) {
            sum += minutes[slot] > oldest ? errors[slot] : 0;
        }
        return sum;
    }

    private State state(long now) {
        Opened last = opened;
        long since = last == null ? Long.MAX_VALUE : now - last.at();
        if (since < NOTHING_NANOS && last.slow()) {
            return State.NOTHING;
        }
        if (since < SHADOW_NANOS) {
            return State.SHADOW;
        }
        return since < TRIAL_NANOS ? State.TRIAL : State.CLOSED;
    }

    private static boolean isOpen(State state) {
        return state == State.NOTHING || state == State.SHADOW;
    }

    /** Returns how many errors it has counted in the last ten minutes. */
    synchronized int errors() {
        return errors(ticker.getAsLong());
    }

    /** Returns whether it is open because decisions take too long: then it would be no better to make them only to look at. */
    boolean isSlow() {
        return opened != null && state(ticker.getAsLong()) == State.NOTHING;
    }

    boolean isOpen() {
        return opened != null && isOpen(state(ticker.getAsLong()));
    }

    /** Returns whether decisions are used again to see whether it can be closed. */
    boolean isOnTrial() {
        return opened != null && state(ticker.getAsLong()) == State.TRIAL;
    }

    /** Returns why the breaker is open; empty while it is closed or on trial. */
    Optional<String> open() {
        Opened last = opened;
        return isOpen() ? Optional.of(last.reason()) : Optional.empty();
    }
}
