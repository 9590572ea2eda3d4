package org.interference.yarn.place;

import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * Names of sensitivities, for whoever has no number: the three levels of Zheng 2019, section 8.3.1, which gives no figures; these are ours. What
 * has no level is between the second and the third (ADR-0056).
 */
enum SensitivityLevel {
    /** Critical services: they should always have enough. */
    GUARANTEE(4),
    /** Services and batch work that matter. */
    HIGH(2),
    /** What may take what others leave. */
    BEST_EFFORT(0.5);

    private final double sensitivity;

    SensitivityLevel(double sensitivity) {
        this.sensitivity = sensitivity;
    }

    /** Returns how many times a slowdown counts of what has this level. */
    double sensitivity() {
        return sensitivity;
    }

    /** Returns its name as settings and tags have it. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the sensitivity that a level's name stands for; empty for every other text. */
    static OptionalDouble named(String text) {
        return Stream.of(values())
                .filter(level -> level.text().equals(text))
                .mapToDouble(SensitivityLevel::sensitivity)
                .findFirst();
    }
}
