package org.interference.yarn.place;

/** How far the plugin may go. */
public enum Mode {
    /** The parent scheduler, exactly; nothing is ranked or recorded. */
    OFF,
    /** The parent decides; what the plugin would have done is recorded. */
    SHADOW,
    /** The plugin orders the candidate nodes. */
    ON
}
