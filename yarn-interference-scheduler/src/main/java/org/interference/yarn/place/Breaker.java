package org.interference.yarn.place;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Opens for good after a number of errors, or after too much time that was taken for nothing, and says why. Thread-safe. */
final class Breaker {
    /** What decisions that took too long may come to. */
    private static final long MOST_LOST_NANOS = 1_000_000_000;
    /** A pause of the machine now and then is nobody's fault: lost time is forgotten at this share of all time. */
    private static final double FORGOTTEN = 0.01;

    private final int errorsAllowed;
    private final AtomicInteger errors = new AtomicInteger();
    private final AtomicReference<String> reason = new AtomicReference<>();
    private volatile boolean slow;
    private double lostNanos;
    private long lostAt;

    /** @param errorsAllowed the error with this number opens the breaker */
    Breaker(int errorsAllowed) {
        this.errorsAllowed = errorsAllowed;
    }

    void error(Throwable error) {
        if (errors.incrementAndGet() == errorsAllowed) {
            reason.compareAndSet(null, "%d errors, the last: %s".formatted(errorsAllowed, error));
        }
    }

    /**
     * Notes a decision that took too long.
     *
     * @param tick the nanoseconds of a clock that goes steadily
     */
    synchronized void tooSlow(long nanos, long tick) {
        lostNanos = nanos + Math.max(0, lostNanos - FORGOTTEN * (tick - lostAt));
        lostAt = tick;
        if (lostNanos >= MOST_LOST_NANOS) {
            slow = true;
            reason.compareAndSet(
                    null, "decisions that took too long came to %.1f s".formatted(lostNanos / MOST_LOST_NANOS));
        }
    }

    int errors() {
        return errors.get();
    }

    /** Returns whether it is open because decisions take too long: then it would be no better to make them only to look at. */
    boolean isSlow() {
        return slow;
    }

    /** Returns why the breaker is open; empty while it is closed. */
    Optional<String> open() {
        return Optional.ofNullable(reason.get());
    }
}
