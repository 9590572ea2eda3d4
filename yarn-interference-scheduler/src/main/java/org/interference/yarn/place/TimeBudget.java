package org.interference.yarn.place;

import java.util.function.LongSupplier;

/**
 * How much of a scheduler's time the plugin may take: a share of all time, and half of the time in which a scheduling thread has nothing else to do.
 * What is not spent is saved, but only for a moment: a scheduler that has work all the time loses no more than the share in any second. What was
 * spent too much is paid for by some seconds of silence at most: a pause of the machine inside a decision was no work. Thread-safe.
 */
final class TimeBudget {
    private static final long MOST_SAVED_NANOS = 10_000_000;

    /**
     * Of the time in which a scheduling thread has nothing to do. With all of it a scheduler that has time to spare would have none: what its
     * locks keep waiting, as ApplicationMasters that ask, wants some.
     */
    private static final double SHARE_OF_IDLE = 0.5;

    private static final long LONGEST_SILENCE_NANOS = 10_000_000_000L;

    private final double share;
    private final LongSupplier ticker;
    private long saved = MOST_SAVED_NANOS;
    private long since;

    /**
     * @param share from 0 to 1; 1 is no limit
     * @param ticker nanoseconds
     */
    TimeBudget(double share, LongSupplier ticker) {
        this.share = share;
        this.ticker = ticker;
        this.since = ticker.getAsLong();
    }

    boolean isLeft() {
        if (share >= 1) {
            return true;
        }
        long now = ticker.getAsLong();
        synchronized (this) {
            saved = Math.min(MOST_SAVED_NANOS, saved + (long) (share * (now - since)));
            since = now;
            return saved > 0;
        }
    }

    /** Notes that a scheduling thread had nothing to do for so long. */
    synchronized void idle(long nanos) {
        saved = Math.min(MOST_SAVED_NANOS, saved + (long) (SHARE_OF_IDLE * nanos));
    }

    synchronized void spend(long nanos) {
        saved = Math.max(-(long) (share * LONGEST_SILENCE_NANOS), saved - nanos);
    }
}
