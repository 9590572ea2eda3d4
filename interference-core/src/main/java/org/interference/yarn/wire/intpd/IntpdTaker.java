package org.interference.yarn.wire.intpd;

import java.util.Objects;
import java.util.Optional;

/**
 * Who took a container's CPU from threads that could have gone on.
 *
 * @param container empty where it was of no watched container
 * @param times since the daemon watches the container; finite and {@code >= 0}
 */
public record IntpdTaker(Optional<String> container, double times) {
    public IntpdTaker {
        Objects.requireNonNull(container, "container is null");
    }
}
