package org.interference.yarn.nm.app;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.config.UnknownSettings;

/**
 * The settings of one NodeManager's plugin, read once at start.
 *
 * @param interval from one sample to the next
 * @param collectorSocket where the collector listens; empty if none is to be asked
 * @param networkBits a second that the node's network can move; empty where its interfaces are to say
 */
public record NodeSettings(Duration interval, Optional<Path> collectorSocket, OptionalLong networkBits) {
    private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(200);
    private static final String HEARTBEAT = "heartbeat";
    private static final String HEARTBEAT_INTERVAL = "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms";
    private static final long DEFAULT_HEARTBEAT_MILLIS = 1000;

    /** An interval of more is warned of: the ResourceManager takes samples for too old after 5, by default, and one is under way for a while. */
    private static final int MOST_HEARTBEATS = 4;

    static final ConfigKey<Optional<Duration>> INTERVAL = new ConfigKey<>(
            "yarn.interference.nm.collect.interval-ms",
            HEARTBEAT,
            raw -> raw.equals(HEARTBEAT) ? Optional.empty() : Optional.of(Duration.ofMillis(Long.parseLong(raw))),
            interval -> interval.isEmpty() || interval.get().compareTo(SHORTEST_INTERVAL) >= 0,
            "a whole number of milliseconds, at least %d, or '%s'".formatted(SHORTEST_INTERVAL.toMillis(), HEARTBEAT),
            "How often the NodeManager samples its containers. With 'heartbeat', as often as this node's configuration"
                    + " says that heartbeats are sent (" + HEARTBEAT_INTERVAL + "). More than " + MOST_HEARTBEATS
                    + " of these say too little: a node whose newest sample is older than 5 of them"
                    + " (yarn.interference.ingest.sample-max-age-heartbeats) is treated as stock YARN would treat it.");

    /** What fits into the kernel's sun_path beside the zero that ends it. */
    private static final int LONGEST_SOCKET_PATH = 107;

    private static final String NO_COLLECTOR = "none";

    static final ConfigKey<Optional<Path>> COLLECTOR_SOCKET = new ConfigKey<>(
            "yarn.interference.nm.collect.socket",
            "/run/intpd/intpd.sock",
            raw -> raw.equals(NO_COLLECTOR) ? Optional.empty() : Optional.of(Path.of(raw)),
            socket -> socket.isEmpty() || isSocketPath(socket.get()),
            "an absolute path of at most %d bytes, or '%s'".formatted(LONGEST_SOCKET_PATH, NO_COLLECTOR),
            "Unix socket of intpd, the node's collector. While it does not answer, and with 'none', the counters are"
                    + " those of the containers' control groups, which are fewer.");

    private static final long MOST_BITS = 1L << 50;

    static final ConfigKey<Long> NETWORK_BITS = new ConfigKey<>(
            "yarn.interference.nm.collect.network-bits-per-second",
            "0",
            Long::valueOf,
            value -> value >= 0 && value <= MOST_BITS,
            "a whole number from 0 to " + MOST_BITS,
            "What the node's network can move in a second in one direction, which the node reports. With 0, what its interfaces say, which on"
                    + " most virtual machines is nothing. intpd has an option of its own, --nic-speed.");

    /** Every key of this record, for the generated reference. */
    public static final List<ConfigKey<?>> KEYS = List.of(INTERVAL, COLLECTOR_SOCKET, NETWORK_BITS);

    /**
     * Reads every setting through {@code lookup}; for Hadoop, {@code conf::get}.
     *
     * @throws ConfigException if one breaks its rule
     */
    public static NodeSettings from(BinaryOperator<String> lookup) {
        long bits = NETWORK_BITS.read(lookup);
        return new NodeSettings(
                INTERVAL.read(lookup).orElseGet(() -> heartbeatInterval(lookup)),
                COLLECTOR_SOCKET.read(lookup),
                bits > 0 ? OptionalLong.of(bits) : OptionalLong.empty());
    }

    /** Returns a sentence where these have the node sampled so seldom that it counts as one that is not measured most of the time. */
    Optional<String> tooSeldom(BinaryOperator<String> lookup) {
        Duration heartbeats = heartbeatInterval(lookup);
        return interval.compareTo(heartbeats.multipliedBy(MOST_HEARTBEATS)) <= 0
                ? Optional.empty()
                : Optional.of(
                        ("%s is %d, more than %d heartbeats of %d ms; after 5 of them without a sample, by default, the"
                                        + " ResourceManager treats this node as stock YARN would")
                                .formatted(
                                        INTERVAL.name(), interval.toMillis(), MOST_HEARTBEATS, heartbeats.toMillis()));
    }

    /** Returns a sentence for each setting in {@code set} that no NodeManager reads; as {@link UnknownSettings#among}. */
    static List<String> unknown(Iterable<Map.Entry<String, String>> set) {
        return UnknownSettings.among(
                set,
                Stream.of(KEYS, NodeControlSettings.KEYS).flatMap(List::stream).toList());
    }

    /** The setting is YARN's, so YARN complains if it is wrong. */
    private static Duration heartbeatInterval(BinaryOperator<String> lookup) {
        String fallback = Long.toString(DEFAULT_HEARTBEAT_MILLIS);
        String raw = Objects.requireNonNullElse(lookup.apply(HEARTBEAT_INTERVAL, fallback), fallback)
                .strip();
        Duration interval =
                Duration.ofMillis(raw.matches("[0-9]{1,9}") ? Long.parseLong(raw) : DEFAULT_HEARTBEAT_MILLIS);
        return interval.compareTo(SHORTEST_INTERVAL) < 0 ? SHORTEST_INTERVAL : interval;
    }

    private static boolean isSocketPath(Path path) {
        return path.isAbsolute() && path.toString().getBytes(StandardCharsets.UTF_8).length <= LONGEST_SOCKET_PATH;
    }
}
