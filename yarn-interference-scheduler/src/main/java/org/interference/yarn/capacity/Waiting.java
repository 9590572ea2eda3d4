package org.interference.yarn.capacity;

import java.util.Comparator;
import java.util.List;

/** Those that wait for a node, taken together. Immutable. */
final class Waiting {
    private final List<WaitingKind> kinds;
    private boolean isAnyKnown;
    private double atLeast = Double.NEGATIVE_INFINITY;
    private double atMost = Double.NEGATIVE_INFINITY;
    private Size unit = Size.ZERO;

    private Waiting(List<WaitingKind> kinds) {
        this.kinds = kinds;
        for (WaitingKind kind : kinds) {
            if (kind.gain().isKnown()) {
                add(kind);
            }
        }
    }

    private void add(WaitingKind kind) {
        if (!isAnyKnown || kind.gain().atLeast() > atLeast) {
            atLeast = kind.gain().atLeast();
            unit = kind.request();
        }
        atMost = Math.max(atMost, kind.gain().atMost());
        isAnyKnown = true;
    }

    static Waiting of(List<WaitingKind> kinds) {
        return new Waiting(kinds);
    }

    boolean isAnybody() {
        return !kinds.isEmpty();
    }

    boolean isAnyKnown() {
        return isAnyKnown;
    }

    /** Returns the highest lower bound of what one of them would add; negative infinity if nothing is known. */
    double atLeast() {
        return atLeast;
    }

    /** Returns the highest upper bound of the same; negative infinity if nothing is known. */
    double atMost() {
        return atMost;
    }

    /** Returns what one of them asks for, whose gain is surest; of nothing if nobody's is known. */
    Size unit() {
        return unit;
    }

    /** Returns the peak of whoever uses least of those whose gain is surely more than {@code leastGain}; there must be somebody. */
    Peak lightest(double leastGain) {
        return kinds.stream()
                .filter(kind -> kind.gain().isKnown() && kind.gain().atLeast() > leastGain)
                .map(kind -> Peak.of(kind.memory(), kind.request()))
                .min(Comparator.comparingDouble(
                        peak -> MemoryEstimate.NONE.with(peak).mostMb()))
                .orElseThrow();
    }
}
