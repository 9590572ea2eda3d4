package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * How much of the fullest of some disks is used. Somebody else looks, one look at a time, so that a disk that does not answer keeps no sampler waiting: then nothing
 * is told. Asked by one thread.
 */
public final class DiskSpace {
    static final long LOOK_SECONDS = 5;
    static final long HELD_SECONDS = 20;

    private final List<Path> directories;
    private final LongSupplier nanoTime;
    private final Executor elsewhere;
    private final AtomicBoolean underWay = new AtomicBoolean();
    private volatile Seen seen = Seen.NOTHING;

    private record Seen(OptionalDouble fullest, long nanos) {
        static final Seen NOTHING = new Seen(OptionalDouble.empty(), 0);
    }

    /**
     * @param directories on the disks
     * @param nanoTime a monotonic clock, as {@link System#nanoTime}
     * @param elsewhere takes the looks, and returns at once
     */
    public DiskSpace(List<Path> directories, LongSupplier nanoTime, Executor elsewhere) {
        this.directories = List.copyOf(directories);
        this.nanoTime = nanoTime;
        this.elsewhere = elsewhere;
    }

    /** Returns the share of the fullest disk that is used, from 0 to 1, as of the newest look, if that is not too long ago, and has another taken if it is time. */
    OptionalDouble fullest() {
        long now = nanoTime.getAsLong();
        if (!isWithin(LOOK_SECONDS, seen, now) && underWay.compareAndSet(false, true)) {
            begin();
        }
        Seen newest = seen;
        return isWithin(HELD_SECONDS, newest, now) ? newest.fullest() : OptionalDouble.empty();
    }

    private void begin() {
        try {
            elsewhere.execute(this::look);
        } catch (Throwable e) {
            // As where there are no threads left: perhaps there are the next time, and what else the node says must not
            // be lost by it.
            underWay.set(false);
        }
    }

    private static boolean isWithin(long seconds, Seen seen, long now) {
        return !seen.equals(Seen.NOTHING) && now - seen.nanos() < TimeUnit.SECONDS.toNanos(seconds);
    }

    private void look() {
        try {
            OptionalDouble fullest = directories.stream()
                    .flatMapToDouble(directory -> used(directory).stream())
                    .max();
            seen = new Seen(fullest, nanoTime.getAsLong());
        } finally {
            underWay.set(false);
        }
    }

    /** A disk that failed has no space to tell; YARN says what is wrong with it. */
    private static OptionalDouble used(Path directory) {
        try {
            FileStore disk = Files.getFileStore(directory);
            double all = disk.getTotalSpace();
            return all > 0
                    ? OptionalDouble.of(Math.min(1, Math.max(0, 1 - disk.getUsableSpace() / all)))
                    : OptionalDouble.empty();
        } catch (IOException e) {
            return OptionalDouble.empty();
        }
    }
}
