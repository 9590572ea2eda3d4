package org.interference.yarn.place;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * What a refresh of the settings replaces as a whole. Thread-safe.
 *
 * @param modes that any queue is set to
 */
record Active(PlaceSettings settings, Set<Mode> modes, Ranker ranker, Breaker breaker, TimeBudget budget) {
    /** @param ticker nanoseconds */
    static Active of(PlaceSettings settings, LongSupplier ticker) {
        Set<Mode> modes = EnumSet.of(settings.mode());
        modes.addAll(settings.queueModes().values().values());
        return new Active(
                settings,
                modes,
                new Ranker(settings),
                new Breaker(settings.breakerErrors(), ticker),
                new TimeBudget(settings.limits().share(), ticker));
    }

    /** As {@link #modes}, but for an open breaker. */
    boolean anybodyIn(Mode mode) {
        boolean open = breaker.isOpen();
        return switch (mode) {
            case ON -> !open && modes.contains(Mode.ON);
            case SHADOW -> modes.contains(Mode.SHADOW) || (open && modes.contains(Mode.ON));
            case OFF -> modes.contains(Mode.OFF);
        };
    }

    /** Returns what becomes of {@code mode} while the breaker is open. */
    Mode inForce(Mode mode) {
        return mode == Mode.ON && breaker.isOpen() ? Mode.SHADOW : mode;
    }

    boolean isOff() {
        return modes.size() == 1 && modes.contains(Mode.OFF);
    }
}
