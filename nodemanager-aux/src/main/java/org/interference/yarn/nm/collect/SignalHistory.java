package org.interference.yarn.nm.collect;

import java.util.EnumSet;
import java.util.Set;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;

/**
 * The arithmetic from counts to a reading. Immutable.
 *
 * <p>{@code level = clip(du / dc)} over the newest window, {@code mean = sum(level x dc) / sum(dc)} over all windows, with
 * {@code du} and {@code dc} the growth of used and capacity: a mean over time, and for a ratio over its references. A
 * window in which a count goes backwards or begins anew, or another source takes over, is left out.
 *
 * @param weighted growth of used over all windows, clipped where the level is
 * @param weight growth of capacity over all windows
 */
record SignalHistory(Signal signal, Count newest, double weighted, double weight, Reading reading) {
    /** The mean requests in flight exceed 1 on a busy disk; the clipped level beside the raw one compares across disks. */
    private static final Set<Signal> CLIPPED = EnumSet.of(Signal.BLK);

    private static final String NO_WINDOW = "no second sample yet";

    static SignalHistory first(Signal signal, Count count) {
        return new SignalHistory(signal, count, 0, 0, unread(count));
    }

    SignalHistory with(Count next) {
        if (!(newest instanceof Count.Counted from) || !(next instanceof Count.Counted to) || !to.continues(from)) {
            return new SignalHistory(signal, next, weighted, weight, unread(next));
        }
        double used = to.used() - from.used();
        double capacity = to.capacity() - from.capacity();
        if (capacity == 0 && used == 0 && signal.combination() == Signal.Combination.WEIGHTED_MEAN) {
            // It asked for nothing, so it missed or waited for none of it.
            return read(to, 0, 0);
        }
        double raw = used / capacity;
        if (used < 0 || capacity <= 0 || !Double.isFinite(raw)) {
            return new SignalHistory(signal, to, weighted, weight, reading);
        }
        return read(to, raw, capacity);
    }

    private SignalHistory read(Count.Counted count, double raw, double capacity) {
        double level = CLIPPED.contains(signal) ? Math.min(1, raw) : raw;
        double nextWeighted = weighted + level * capacity;
        double nextWeight = weight + capacity;
        double mean = nextWeight == 0 ? 0 : nextWeighted / nextWeight;
        return new SignalHistory(
                signal,
                count,
                nextWeighted,
                nextWeight,
                new Reading.Measured(level, mean, raw, count.apportioned(), count.source()));
    }

    private static Reading unread(Count count) {
        String reason = count instanceof Count.NotCounted none ? none.reason() : NO_WINDOW;
        return new Reading.Unavailable(reason, count.source());
    }
}
