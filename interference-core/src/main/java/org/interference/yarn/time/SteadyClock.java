package org.interference.yarn.time;

import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The wall clock as it was when this was made, and what has gone by since. It never steps, so ages, waits and limits are right while
 * somebody sets the wall clock; an instant of it that is shown is off by the steps since. Thread-safe if {@code nanoTime} is.
 */
public final class SteadyClock implements InstantSource {
    private final Instant start;
    private final long startNanos;
    private final LongSupplier nanoTime;

    /**
     * @param wall asked once
     * @param nanoTime a monotonic clock, as {@link System#nanoTime}
     */
    public SteadyClock(InstantSource wall, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.start = wall.instant();
        this.startNanos = nanoTime.getAsLong();
    }

    @Override
    public Instant instant() {
        return start.plusNanos(nanoTime.getAsLong() - startNanos);
    }
}
