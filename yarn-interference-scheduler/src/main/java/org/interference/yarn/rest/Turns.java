package org.interference.yarn.rest;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * How many requests may do at once what takes a processor of the ResourceManager's for long. A few more wait a little for their turn, and
 * all others are told to come again, so that they do not take the web server's threads. Thread-safe.
 */
final class Turns {
    /** Those that wait at the same time. */
    static final int MOST_WAITING = 8;

    /** RFC 6585; JAX-RS 1 has no name for it. */
    private static final int TOO_MANY_REQUESTS = 429;

    private final Semaphore free;
    private final Duration patience;

    /**
     * @param most at once
     * @param patience of one that waits
     */
    Turns(int most, Duration patience) {
        this.free = new Semaphore(most, true);
        this.patience = patience;
    }

    /**
     * Does {@code work} when it is its turn, on the caller's thread.
     *
     * @throws RequestException if too many are before this one
     */
    <T> T take(Supplier<T> work) {
        if (!isMine()) {
            throw new RequestException(TOO_MANY_REQUESTS, "too many ask for this at once; ask again in a few seconds");
        }
        try {
            return work.get();
        } finally {
            free.release();
        }
    }

    private boolean isMine() {
        try {
            // About as many: who counts does not keep others from coming.
            return waiting() < MOST_WAITING && free.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns how many wait now. */
    int waiting() {
        return free.getQueueLength();
    }
}
