package org.interference.yarn.testbed.services;

import java.util.Arrays;
import java.util.Locale;

/** Who made a plan. */
enum PlannedBy {
    /** The planner: interference and affinity. */
    BOTH,
    /** Who looks at interference alone. */
    INTERFERENCE,
    /** Who looks at affinity alone. */
    AFFINITY;

    /** Returns the one that {@link #toString} names so. */
    static PlannedBy named(String name) {
        return Arrays.stream(values())
                .filter(value -> value.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "there is no plan '" + name + "'; there are " + Arrays.toString(values())));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
