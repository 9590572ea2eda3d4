package org.interference.yarn.parents;

import java.util.Locale;

/** Which scheduler YARN's tests are run with. */
public enum SchedulerVariant {
    /** YARN's own: the control. */
    STOCK,
    /** Ours, in this mode of {@code yarn.interference.place.mode}. */
    OFF,
    /** Ours, in this mode of {@code yarn.interference.place.mode}. */
    SHADOW,
    /** Ours, in this mode of {@code yarn.interference.place.mode}; no node reports, so there is nothing to rank. */
    ON;

    /** Returns whether our schedulers stand in the parents' place. */
    boolean isOurs() {
        return this != STOCK;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
