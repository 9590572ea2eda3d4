package org.interference.yarn.signal;

import java.util.Objects;

/**
 * What a container exchanges through one connection, as its own node counted it.
 *
 * @param local the container's end
 * @param remote the other end
 * @param sent bytes of payload, or bytes a second, that the container sends; {@code >= 0}
 * @param received the same that it receives
 */
public record Flow(Endpoint local, Endpoint remote, long sent, long received) {
    /** Of one container no more are reported, those with the most bytes first. */
    public static final int MOST = 16;

    public Flow {
        Objects.requireNonNull(local, "local is null");
        Objects.requireNonNull(remote, "remote is null");
        if (sent < 0 || received < 0) {
            throw new IllegalArgumentException("bytes must be >= 0, got %d and %d".formatted(sent, received));
        }
    }
}
