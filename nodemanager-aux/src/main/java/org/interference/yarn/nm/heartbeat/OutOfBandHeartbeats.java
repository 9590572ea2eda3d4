package org.interference.yarn.nm.heartbeat;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Asks for heartbeats ahead of time when short tasks end, at most one per gap however many end: the one that is sent at
 * the end of a gap carries them all. Used on the thread that it is given.
 */
public final class OutOfBandHeartbeats {
    private final Duration longestShortTask;
    private final long gapNanos;
    private final Runnable send;
    private final LongSupplier nanoTime;
    private final ScheduledExecutorService thread;
    private final Failures failures;
    private long nextAt;
    private boolean waiting;

    /**
     * @param longestShortTask the end of a task that lived longer waits for the next heartbeat
     * @param send asks the NodeManager for a heartbeat; must not block
     * @param nanoTime a monotonic clock, as {@link System#nanoTime}
     */
    public OutOfBandHeartbeats(
            Duration longestShortTask,
            Duration gap,
            Runnable send,
            LongSupplier nanoTime,
            ScheduledExecutorService thread,
            Failures failures) {
        this.longestShortTask = longestShortTask;
        this.gapNanos = gap.toNanos();
        this.send = send;
        this.nanoTime = nanoTime;
        this.thread = thread;
        this.failures = failures;
        this.nextAt = nanoTime.getAsLong();
    }

    /** Takes the end of a task that lived for {@code lived}, whose last report the next heartbeat carries. */
    @SuppressWarnings("FutureReturnValueIgnored") // trySend catches everything, so the future has nothing to tell.
    public void ended(Duration lived) {
        if (waiting || lived.compareTo(longestShortTask) >= 0) {
            return;
        }
        long left = nextAt - nanoTime.getAsLong();
        if (left <= 0) {
            trySend();
            return;
        }
        try {
            waiting = true;
            thread.schedule(this::trySend, left, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // The plugin is being stopped, and with it the NodeManager's heartbeats.
        }
    }

    private void trySend() {
        waiting = false;
        nextAt = nanoTime.getAsLong() + gapNanos;
        try {
            send.run();
        } catch (Throwable e) {
            failures.note("No heartbeat ahead of time; the report goes with the next one", e);
        }
    }
}
