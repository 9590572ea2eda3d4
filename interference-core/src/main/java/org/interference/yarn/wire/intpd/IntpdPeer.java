package org.interference.yarn.wire.intpd;

import java.util.Objects;

/**
 * A connection of a container, by its two ends.
 *
 * @param local address in text, as in {@code 10.0.0.1}
 * @param localPort 0 to 65,535
 * @param remote as {@code local}
 * @param remotePort as {@code localPort}
 * @param sent bytes since the daemon watches the container; finite and {@code >= 0}
 * @param received as {@code sent}
 */
public record IntpdPeer(String local, int localPort, String remote, int remotePort, double sent, double received) {
    public IntpdPeer {
        Objects.requireNonNull(local, "local is null");
        Objects.requireNonNull(remote, "remote is null");
    }
}
