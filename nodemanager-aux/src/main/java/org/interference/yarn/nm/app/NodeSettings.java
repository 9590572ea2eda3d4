package org.interference.yarn.nm.app;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.config.ConfigKey;

/**
 * The settings of one NodeManager's plugin, read once at start.
 *
 * @param collectorSocket where the collector listens; empty if none is to be asked
 */
public record NodeSettings(Duration interval, Optional<Path> collectorSocket, int maxPayloadBytes) {
    static final ConfigKey<Duration> INTERVAL = ConfigKey.millis(
            "yarn.interference.nm.collect.interval-ms",
            Duration.ofSeconds(1),
            Duration.ofMillis(200),
            "How often the NodeManager samples its containers.");

    /** What fits into the kernel's sun_path beside the zero that ends it. */
    private static final int LONGEST_SOCKET_PATH = 107;

    private static final String NO_COLLECTOR = "none";

    static final ConfigKey<Optional<Path>> COLLECTOR_SOCKET = new ConfigKey<>(
            "yarn.interference.nm.collect.socket",
            "/run/intpd/intpd.sock",
            raw -> raw.equals(NO_COLLECTOR) ? Optional.empty() : Optional.of(Path.of(raw)),
            socket -> socket.isEmpty() || isSocketPath(socket.get()),
            "an absolute path of at most %d bytes, or '%s'".formatted(LONGEST_SOCKET_PATH, NO_COLLECTOR),
            "Unix socket of intpd, the node's collector. While it does not answer, and with 'none', the counters come"
                    + " from /proc, which has fewer.");

    static final ConfigKey<Integer> MAX_PAYLOAD_BYTES = ConfigKey.integer(
            "yarn.interference.nm.heartbeat.max-payload-bytes",
            1 << 20,
            1 << 10,
            1 << 24,
            "A larger report is not sent: that heartbeat goes out as stock, and is counted.");

    /** Every key of this record, for the generated reference. */
    public static final List<ConfigKey<?>> KEYS = List.of(INTERVAL, COLLECTOR_SOCKET, MAX_PAYLOAD_BYTES);

    /**
     * Reads every setting through {@code lookup}; for Hadoop, {@code conf::get}.
     *
     * @throws ConfigException if one breaks its rule
     */
    public static NodeSettings from(BinaryOperator<String> lookup) {
        return new NodeSettings(INTERVAL.read(lookup), COLLECTOR_SOCKET.read(lookup), MAX_PAYLOAD_BYTES.read(lookup));
    }

    private static boolean isSocketPath(Path path) {
        return path.isAbsolute() && path.toString().getBytes(StandardCharsets.UTF_8).length <= LONGEST_SOCKET_PATH;
    }
}
