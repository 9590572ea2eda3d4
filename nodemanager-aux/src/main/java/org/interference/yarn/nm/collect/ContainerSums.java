package org.interference.yarn.nm.collect;

import java.util.EnumMap;
import java.util.Map;
import org.interference.yarn.signal.Signal;

/** The counts of one container since it was first looked at: of those windows alone at both of whose ends the kernel told a number. */
final class ContainerSums {
    private static final String NEEDS_INTPD = "it needs intpd: control groups do not count it";
    private static final String BEGAN_ANEW = "the kernel's count began anew";

    private final EnumMap<Signal, Count.Counted> sums = new EnumMap<>(Signal.class);
    private final EnumMap<Signal, Count> counts = new EnumMap<>(Signal.class);
    private Map<Signal, GroupFigure> last = Map.of();
    private long lastNanos;

    /** Adds one look; another one at the same time says nothing. */
    void add(Map<Signal, GroupFigure> figures, long nanos) {
        long elapsed = nanos - lastNanos;
        if (!last.isEmpty() && elapsed <= 0) {
            return;
        }
        for (Signal signal : Signal.values()) {
            counts.put(signal, count(signal, figures.get(signal), elapsed));
        }
        last = new EnumMap<>(figures);
        lastNanos = nanos;
    }

    /** What is told next continues nothing: the container was launched again, or could not be looked at. */
    void interrupt() {
        last = Map.of();
    }

    Map<Signal, Count> counts() {
        return new EnumMap<>(counts);
    }

    private Count count(Signal signal, GroupFigure now, long elapsed) {
        if (now == null) {
            return new Count.NotCounted(NEEDS_INTPD, ControlGroupCounterSource.NAME);
        }
        if (now instanceof GroupFigure.Missing missing) {
            return new Count.NotCounted(missing.reason(), missing.source());
        }
        GroupFigure.Told told = (GroupFigure.Told) now;
        Count.Counted sum = sums.get(signal);
        Count.Counted next;
        if (sum == null) {
            next = new Count.Counted(0, 0, false, told.source());
        } else if (!(last.get(signal) instanceof GroupFigure.Told before)
                || !before.source().equals(told.source())) {
            // Another source is another count, and what was missing may have begun anew.
            next = new Count.Counted(sum.used(), sum.capacity(), false, told.source(), sum.epoch() + 1);
        } else if (told.continues(before)) {
            double used = sum.used() + told.usedSince(before, elapsed);
            double capacity = sum.capacity() + told.capacityPerNano() * elapsed;
            next = new Count.Counted(used, capacity, false, told.source(), sum.epoch());
        } else {
            return new Count.NotCounted(BEGAN_ANEW, told.source());
        }
        sums.put(signal, next);
        return next;
    }
}
