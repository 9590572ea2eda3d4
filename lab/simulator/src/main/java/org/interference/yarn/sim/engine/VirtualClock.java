package org.interference.yarn.sim.engine;

import java.time.Instant;
import java.time.InstantSource;
import org.apache.hadoop.yarn.util.Clock;

/** The time of one simulation; only its loop moves it. Hadoop's clock and the plugin's are the same. Not thread-safe. */
public final class VirtualClock implements InstantSource, Clock {
    /** Not the epoch: some of YARN takes 0 for "not set". */
    private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

    private double seconds;

    public void set(double secondsSinceBeginning) {
        seconds = secondsSinceBeginning;
    }

    public double seconds() {
        return seconds;
    }

    private Instant at(double secondsSinceBeginning) {
        return BEGINNING.plusNanos(Math.round(secondsSinceBeginning * 1e9));
    }

    @Override
    public Instant instant() {
        return at(seconds);
    }

    @Override
    public long getTime() {
        return instant().toEpochMilli();
    }
}
