package org.interference.yarn.benchmarks.scheduler;

import java.util.Locale;
import java.util.Optional;

/** Who is compared. */
enum Contender {
    /** YARN's own scheduler. */
    STOCK,
    OFF,
    SHADOW,
    /** As released, so that decisions take a bounded share of the scheduler's time. */
    ON,
    /** Mode on, and every decision is made however long it takes. */
    ALWAYS;

    /** Returns the mode of our plugin; empty without a plugin. */
    Optional<String> mode() {
        return switch (this) {
            case STOCK -> Optional.empty();
            case ALWAYS -> ON.mode();
            default -> Optional.of(label());
        };
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
