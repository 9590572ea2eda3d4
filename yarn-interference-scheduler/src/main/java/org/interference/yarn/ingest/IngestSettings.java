package org.interference.yarn.ingest;

import java.time.Duration;
import java.util.List;
import java.util.function.BinaryOperator;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.wire.HeartbeatCodec;

/**
 * Settings of the ingest stage.
 *
 * @param maxPayloadBytes a larger payload is counted and ignored
 * @param clockSkewWarning a report whose node's clock differs more from the ResourceManager's is counted, and used all the same
 */
public record IngestSettings(int sampleMaxAgeHeartbeats, int maxPayloadBytes, Duration clockSkewWarning) {
    private static final Duration MAX_AGE_LIMIT = Duration.ofMinutes(3);

    static final ConfigKey<Integer> SAMPLE_MAX_AGE_HEARTBEATS = ConfigKey.integer(
            "yarn.interference.ingest.sample-max-age-heartbeats",
            5,
            1,
            1000,
            "A node whose newest sample is older than this many heartbeat intervals (180 s at most) is treated as stock"
                    + " YARN would treat it.");

    /** Far above what NTP leaves and twice what Kerberos bears: its operator wants to know. It decides nothing (ADR-0008). */
    private static final Duration CLOCK_SKEW_WARNING = Duration.ofMinutes(10);

    /** Every key of this stage, in the order of the reference file. */
    public static final List<ConfigKey<?>> KEYS = List.of(SAMPLE_MAX_AGE_HEARTBEATS);

    /** Reads all settings; {@code lookup} as in {@link ConfigKey#read}. */
    public static IngestSettings from(BinaryOperator<String> lookup) {
        return new IngestSettings(
                SAMPLE_MAX_AGE_HEARTBEATS.read(lookup), HeartbeatCodec.MAX_PAYLOAD_BYTES, CLOCK_SKEW_WARNING);
    }

    Duration sampleMaxAge(Duration heartbeatInterval) {
        Duration age = heartbeatInterval.multipliedBy(sampleMaxAgeHeartbeats);
        return age.compareTo(MAX_AGE_LIMIT) < 0 ? age : MAX_AGE_LIMIT;
    }
}
