package org.interference.yarn.wire;

import java.io.IOException;
import java.time.DateTimeException;
import org.interference.yarn.signal.NodeReport;

/** Encodes and decodes {@link NodeReport}s (heartbeat.proto). Stateless; never throws on what it decodes. */
public final class HeartbeatCodec {
    /** The field of YARN's ResourceUtilizationProto that carries the bytes (ADR-0003). */
    public static final int CARRIER_FIELD = 19701;

    /** The largest report that is sent, and read. One container takes some 90 bytes, so no honest node comes near it. */
    public static final int MAX_PAYLOAD_BYTES = 1 << 20;

    private static final int SCHEMA_VERSION = 2;

    private HeartbeatCodec() {}

    /**
     * Returns {@code report} as it travels.
     *
     * @throws IllegalArgumentException if it has more containers, or longer ids, than a reader takes, or one id twice
     */
    public static byte[] encode(NodeReport report) {
        return HeartbeatWriter.write(report, SCHEMA_VERSION);
    }

    /**
     * Decodes {@code bytes} of at most {@code maxBytes}. Signals and statuses of a newer peer are left out; a value that
     * is not finite or is negative makes the whole report malformed, because its sender cannot be trusted.
     */
    public static Decoded decode(byte[] bytes, int maxBytes) {
        if (bytes.length > maxBytes) {
            return new Decoded.Rejected(
                    Decoded.Rejection.OVERSIZED, "%d bytes, at most %d are read".formatted(bytes.length, maxBytes));
        }
        try {
            HeartbeatReader reader = HeartbeatReader.read(bytes);
            if (reader.schemaVersion() != SCHEMA_VERSION) {
                return new Decoded.Rejected(
                        Decoded.Rejection.UNKNOWN_VERSION,
                        "schema version %d, this reader knows %d".formatted(reader.schemaVersion(), SCHEMA_VERSION));
            }
            return new Decoded.Accepted(reader.report());
        } catch (IOException | IllegalArgumentException | DateTimeException e) {
            return new Decoded.Rejected(Decoded.Rejection.MALFORMED, String.valueOf(e.getMessage()));
        }
    }
}
