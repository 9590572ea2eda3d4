package org.interference.yarn.benchmarks;

import java.io.IOException;
import java.net.ServerSocket;

/** A port that nobody listens on. */
public final class FreePort {
    private FreePort() {}

    public static int find() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
