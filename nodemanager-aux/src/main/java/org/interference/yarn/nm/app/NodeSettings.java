package org.interference.yarn.nm.app;

import java.time.Duration;
import java.util.List;
import java.util.function.BinaryOperator;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.config.ConfigKey;

/** The settings of one NodeManager's plugin, read once at start. */
public record NodeSettings(Duration interval, int maxPayloadBytes) {
    static final ConfigKey<Duration> INTERVAL = ConfigKey.millis(
            "yarn.interference.nm.collect.interval-ms",
            Duration.ofSeconds(1),
            Duration.ofMillis(200),
            "How often the NodeManager samples its containers.");

    static final ConfigKey<Integer> MAX_PAYLOAD_BYTES = ConfigKey.integer(
            "yarn.interference.nm.heartbeat.max-payload-bytes",
            1 << 20,
            1 << 10,
            1 << 24,
            "A larger report is not sent: that heartbeat goes out as stock, and is counted.");

    /** Every key of this record, for the generated reference. */
    public static final List<ConfigKey<?>> KEYS = List.of(INTERVAL, MAX_PAYLOAD_BYTES);

    /**
     * Reads every setting through {@code lookup}; for Hadoop, {@code conf::get}.
     *
     * @throws ConfigException if one breaks its rule
     */
    public static NodeSettings from(BinaryOperator<String> lookup) {
        return new NodeSettings(INTERVAL.read(lookup), MAX_PAYLOAD_BYTES.read(lookup));
    }
}
