package org.interference.yarn.ingest;

import java.time.Duration;
import java.util.List;
import java.util.function.BinaryOperator;
import org.interference.yarn.config.ConfigKey;

/** Settings of the ingest stage. */
public record IngestSettings(int sampleMaxAgeHeartbeats, int maxPayloadBytes, Duration clockSkewWarning) {
    private static final Duration MAX_AGE_LIMIT = Duration.ofMinutes(3);

    static final ConfigKey<Integer> SAMPLE_MAX_AGE_HEARTBEATS = ConfigKey.integer(
            "yarn.interference.ingest.sample-max-age-heartbeats",
            5,
            1,
            1000,
            "A node whose newest sample is older than this many heartbeat intervals (180 s at most) is treated as stock"
                    + " YARN would treat it.");

    static final ConfigKey<Integer> MAX_PAYLOAD_BYTES = ConfigKey.integer(
            "yarn.interference.ingest.max-payload-bytes",
            1 << 20,
            1024,
            64 << 20,
            "A larger payload in a heartbeat is counted and ignored.");

    static final ConfigKey<Duration> CLOCK_SKEW_WARNING = ConfigKey.millis(
            "yarn.interference.ingest.clock-skew-warning-ms",
            Duration.ofMinutes(10),
            Duration.ofSeconds(1),
            "A report whose node clock differs more than this from the ResourceManager's is counted. It is used all the same:"
                    + " the node's clock decides nothing.");

    /** Every key of this stage, in the order of the reference file. */
    public static final List<ConfigKey<?>> KEYS =
            List.of(SAMPLE_MAX_AGE_HEARTBEATS, MAX_PAYLOAD_BYTES, CLOCK_SKEW_WARNING);

    /** Reads all settings; {@code lookup} as in {@link ConfigKey#read}. */
    public static IngestSettings from(BinaryOperator<String> lookup) {
        return new IngestSettings(
                SAMPLE_MAX_AGE_HEARTBEATS.read(lookup),
                MAX_PAYLOAD_BYTES.read(lookup),
                CLOCK_SKEW_WARNING.read(lookup));
    }

    Duration sampleMaxAge(Duration heartbeatInterval) {
        Duration age = heartbeatInterval.multipliedBy(sampleMaxAgeHeartbeats);
        return age.compareTo(MAX_AGE_LIMIT) < 0 ? age : MAX_AGE_LIMIT;
    }
}
