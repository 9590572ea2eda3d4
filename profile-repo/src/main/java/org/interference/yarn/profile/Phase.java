package org.interference.yarn.profile;

import java.time.Duration;

/**
 * A part of a long-lived container's life, by its age. Log-scaled, because services change most when they begin; the
 * name is the store's.
 */
public enum Phase {
    /** The first minute: classes are loaded, caches are cold. */
    WARM_UP,
    /** From the first minute to the tenth. */
    EARLY,
    /** From the tenth minute on. */
    STEADY;

    /** How old a container is when it counts as long-lived; also how often it then adds to its profile. */
    public static final Duration LONG_LIVED = Duration.ofMinutes(10);

    /** When {@link #WARM_UP} is over. */
    public static final Duration WARM = Duration.ofMinutes(1);
}
