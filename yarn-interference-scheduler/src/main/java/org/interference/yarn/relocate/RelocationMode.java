package org.interference.yarn.relocate;

import java.util.Arrays;
import java.util.Locale;

/** How far relocation may go. */
public enum RelocationMode {
    /** Nothing is looked at. */
    OFF,
    /** It is told who would be asked to leave, why, and what that would save; nobody is asked. */
    DRY_RUN,
    /** Containers are asked to leave. */
    ON;

    /** Returns the name as it is written in settings and answers. */
    public String written() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Reads what {@link #written} returns.
     *
     * @throws IllegalArgumentException for anything else
     */
    static RelocationMode of(String written) {
        return Arrays.stream(values())
                .filter(mode -> mode.written().equals(written.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no mode: " + written));
    }
}
