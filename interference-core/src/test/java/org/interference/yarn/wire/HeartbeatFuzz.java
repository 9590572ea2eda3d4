package org.interference.yarn.wire;

import java.util.Optional;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;

/** Whatever bytes a heartbeat brings, decoding answers; and what it accepts is what the generated parser reads in it. */
public final class HeartbeatFuzz {
    private static final int MAX_BYTES = 4096;

    private HeartbeatFuzz() {}

    public static void fuzzerTestOneInput(byte[] bytes) {
        Decoded decoded = HeartbeatCodec.decode(bytes, MAX_BYTES);
        if (decoded instanceof Decoded.Accepted accepted) {
            NodeReport report = accepted.report();
            // Readings are made when they are looked at.
            for (ContainerReport container : report.containers()) {
                container.newest().levels();
            }
            require(GeneratedReader.read(bytes).contains(Optional.of(report)), "the generated parser reads otherwise");
            require(
                    HeartbeatCodec.decode(HeartbeatCodec.encode(report), 2 * MAX_BYTES)
                            .equals(decoded),
                    "what is written is not read");
        } else if (decoded instanceof Decoded.Rejected rejected
                && rejected.rejection() == Decoded.Rejection.MALFORMED) {
            require(GeneratedReader.read(bytes).contains(Optional.empty()), "the generated parser reads it");
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
