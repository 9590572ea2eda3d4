package org.interference.yarn.place;

import java.util.Locale;

/** How far the plugin may go. */
public enum Mode {
    /** The parent scheduler, exactly; nothing is ranked or recorded. */
    OFF,
    /** The parent decides; what the plugin would have done is recorded. */
    SHADOW,
    /** The plugin orders the candidate nodes. */
    ON;

    /** What a mode must be where a list of them is written. */
    public static final String RULE = "off, shadow or on";

    /**
     * Returns the mode that is written so, in any case.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Mode of(String written) {
        return valueOf(written.toUpperCase(Locale.ROOT));
    }
}
