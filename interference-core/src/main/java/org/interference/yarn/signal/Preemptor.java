package org.interference.yarn.signal;

import java.util.Objects;
import java.util.Optional;

/**
 * Who takes a container's CPU, as the node counted it: a thread of the container could have gone on, and one of {@code container} ran
 * instead.
 *
 * @param container of the same node; empty for what is outside of all containers that are measured
 * @param perSecond how often, over the newest window; finite and {@code >= 0}
 */
public record Preemptor(Optional<String> container, double perSecond) {
    /** Of one container no more are reported, the most frequent first. */
    public static final int MOST = 4;

    public Preemptor {
        Objects.requireNonNull(container, "container is null");
        requireRate(perSecond);
    }

    static void requireRate(double perSecond) {
        if (!(perSecond >= 0 && perSecond <= Float.MAX_VALUE)) {
            throw new IllegalArgumentException("perSecond must be finite and >= 0, got " + perSecond);
        }
    }
}
