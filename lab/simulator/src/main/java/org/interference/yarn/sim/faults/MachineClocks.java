package org.interference.yarn.sim.faults;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.interference.yarn.sim.engine.VirtualClock;
import org.interference.yarn.time.SteadyClock;

/** The clocks of the ResourceManager's machine: one that goes steadily, and one that people set. Not thread-safe. */
final class MachineClocks {
    /** Between two looks at the steady clock within a second. */
    private static final long LOOK_NANOS = 1000;

    private final VirtualClock steady = new VirtualClock();
    private Duration step = Duration.ZERO;
    private long lookedNanos;
    private long pauseNanos;
    private int pauseAfter;

    VirtualClock steady() {
        return steady;
    }

    /** Returns what a plugin that starts now makes of both. */
    InstantSource clockOfThePlugin() {
        return new SteadyClock(this::now, nanoTime());
    }

    /** Returns nanoseconds since some moment; they grow with every look, and a pause may lie between two. */
    LongSupplier nanoTime() {
        return this::look;
    }

    private synchronized long look() {
        lookedNanos += LOOK_NANOS;
        if (pauseNanos > 0 && --pauseAfter == 0) {
            lookedNanos += pauseNanos;
            pauseNanos = 0;
        }
        return nanos() + lookedNanos;
    }

    long nanos() {
        return Math.round(steady.seconds() * 1e9);
    }

    void advance(double seconds) {
        steady.set(steady.seconds() + seconds);
    }

    void set(int seconds) {
        step = step.plusSeconds(seconds);
    }

    synchronized void pause(int millis, int reading) {
        pauseNanos = millis * 1_000_000L;
        pauseAfter = reading;
    }

    /** Returns what the wall clock says. */
    Instant now() {
        return steady.instant().plus(step);
    }
}
