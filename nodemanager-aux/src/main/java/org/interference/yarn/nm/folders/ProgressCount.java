package org.interference.yarn.nm.folders;

import java.util.concurrent.TimeUnit;
import org.interference.yarn.nm.collect.Count;
import org.interference.yarn.signal.Signal;

/**
 * What an application has said of its operations since its number was first read. Immutable.
 *
 * @param newest its number, as it was read at {@code newestNanos}
 * @param operations growth of the number
 * @param seconds over which it grew
 * @param epoch another one has begun to count anew
 */
record ProgressCount(double newest, long newestNanos, double operations, double seconds, long epoch) {
    static final String SOURCE = "application";

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    static ProgressCount first(double number, long nanos) {
        return new ProgressCount(number, nanos, 0, 0, 0);
    }

    /** Adds a later reading. One that goes back, or is higher than any application can come to, counts anew from there. */
    ProgressCount with(double number, long nanos) {
        double grown = number - newest;
        double passed = (nanos - newestNanos) / NANOS_PER_SECOND;
        if (passed <= 0) {
            return this;
        }
        if (grown < 0 || grown > passed * Signal.PROGRESS.highest()) {
            return new ProgressCount(number, nanos, 0, 0, epoch + 1);
        }
        return new ProgressCount(number, nanos, operations + grown, seconds + passed, epoch);
    }

    Count count() {
        return new Count.Counted(operations, seconds, false, SOURCE, epoch);
    }
}
