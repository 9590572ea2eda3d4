package org.interference.yarn.app;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import org.interference.yarn.capacity.yarn.ConfiguredSizes;
import org.interference.yarn.time.SteadyClock;

/**
 * The time, and who works, as one plugin gets them from outside.
 *
 * @param clock decides, so it must not step when somebody sets the wall clock
 * @param decoding runs one task at a time, in order
 * @param background runs the housekeeping, every second
 * @param slow runs what takes seconds of a processor and nobody waits for: trainings
 * @param storage reads and writes the store, one task at a time
 * @param snapshots writes whole snapshots of the profiles, while changes go on being written; either may hang
 * @param random decides what is held out of training and what is forgotten
 * @param ticker nanoseconds, by which decisions are timed; one that stands still times nothing
 * @param wallClock milliseconds since 1970, by which YARN says since when a container is there
 * @param learnt where what was learnt beside the profiles is kept; empty: in files beside theirs
 * @param sizes where configured sizes of nodes are kept; empty: in files beside theirs
 */
public record Surroundings(
        InstantSource clock,
        ExecutorService decoding,
        ScheduledExecutorService background,
        ExecutorService slow,
        ExecutorService storage,
        ExecutorService snapshots,
        Random random,
        LongSupplier ticker,
        LongSupplier wallClock,
        Optional<LearntStore> learnt,
        Optional<ConfiguredSizes> sizes) {
    /** By which every container may have run for as long as its node says. */
    private static final long END_OF_TIME = Long.MAX_VALUE / 2;

    /** Surroundings whose store is not slower than anything else, and whose time is not YARN's. */
    public Surroundings(
            InstantSource clock,
            ExecutorService decoding,
            ScheduledExecutorService background,
            ExecutorService slow,
            Random random,
            LongSupplier ticker,
            Optional<LearntStore> learnt) {
        this(
                clock,
                decoding,
                background,
                slow,
                slow,
                slow,
                random,
                ticker,
                () -> END_OF_TIME,
                learnt,
                Optional.empty());
    }

    /** Returns for how long something is there that YARN says began {@code created} ms after 1970, whose clock may be set anew; empty where its time is not this. */
    Optional<Duration> since(long created) {
        long now = wallClock.getAsLong();
        return now == END_OF_TIME ? Optional.empty() : Optional.of(Duration.ofMillis(Math.max(0, now - created)));
    }

    /**
     * Returns when something began, by {@link #clock}, that YARN says began {@code created} ms after 1970, by a clock that may be set anew; that very time where YARN's time is
     * not this.
     */
    Instant began(long created) {
        // In this order: what passes between the two readings makes it no older.
        return since(created).map(age -> clock.instant().minus(age)).orElse(Instant.ofEpochMilli(created));
    }

    /** Returns this with another place for configured sizes. */
    public Surroundings with(ConfiguredSizes others) {
        return new Surroundings(
                clock,
                decoding,
                background,
                slow,
                storage,
                snapshots,
                random,
                ticker,
                wallClock,
                learnt,
                Optional.of(others));
    }

    /** Returns the machine's clock and five threads of this plugin's own. */
    public static Surroundings ofThisMachine() {
        return ofThisMachine(InstantSource.system(), System::nanoTime);
    }

    static Surroundings ofThisMachine(InstantSource wall, LongSupplier nanoTime) {
        return new Surroundings(
                new SteadyClock(wall, nanoTime),
                Executors.newSingleThreadExecutor(work -> daemon(work, "interference-ingest")),
                Executors.newSingleThreadScheduledExecutor(work -> daemon(work, "interference-background")),
                Executors.newSingleThreadExecutor(work -> daemon(work, "interference-slow")),
                Executors.newSingleThreadExecutor(work -> daemon(work, "interference-store")),
                Executors.newSingleThreadExecutor(work -> daemon(work, "interference-snapshot")),
                new Random(),
                nanoTime,
                wall::millis,
                Optional.empty(),
                Optional.empty());
    }

    private static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }
}
