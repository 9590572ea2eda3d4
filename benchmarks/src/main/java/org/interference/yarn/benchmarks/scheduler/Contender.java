package org.interference.yarn.benchmarks.scheduler;

import java.util.Locale;
import java.util.Optional;

/** Who is compared. */
enum Contender {
    /** YARN's own scheduler. */
    STOCK,
    OFF,
    SHADOW,
    ON;

    /** Returns the mode of our plugin; empty without a plugin. */
    Optional<String> mode() {
        return this == STOCK ? Optional.empty() : Optional.of(label());
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
