package org.interference.yarn.ingest;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.wire.HeartbeatCodec;

/**
 * Settings of the ingest stage.
 *
 * @param maxPayloadBytes a larger payload is counted and ignored
 * @param historyMinutes how long what nodes say of themselves is kept; 0: not at all
 * @param historyMetrics what is kept of it
 * @param outside what is made of the load of a node that is of none of its containers
 * @param clockSkewWarning a report whose node's clock differs more from the ResourceManager's is counted, and used all the same
 */
public record IngestSettings(
        int sampleMaxAgeHeartbeats,
        int maxPayloadBytes,
        Duration clockSkewWarning,
        int historyMinutes,
        List<NodeMetric> historyMetrics,
        OutsideUse outside) {
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

    static final ConfigKey<Integer> HISTORY_MINUTES = ConfigKey.integer(
            "yarn.interference.ingest.history-minutes",
            180,
            0,
            1440,
            "How many minutes of what each node says of itself (CPU, memory, pressure, disks) are kept, for nodes/NODE/history and the page:"
                    + " a byte for each minute, metric and node. 0 keeps nothing.");

    static final ConfigKey<List<NodeMetric>> HISTORY_METRICS = new ConfigKey<>(
            "yarn.interference.ingest.history-metrics",
            names(NodeMetric.telling()),
            IngestSettings::metrics,
            metrics -> true,
            "names of metrics, separated by commas, of " + names(List.of(NodeMetric.values())),
            "Which metrics of a node are kept for its history.");

    static final ConfigKey<OutsideUse> OUTSIDE = ConfigKey.oneOf(
            "yarn.interference.ingest.outside",
            OutsideUse.class,
            OutsideUse.NEIGHBOUR,
            "What is made of the load of a node that is of none of its containers (daemons, a DataNode, neighbours on the host): one more"
                    + " neighbour of each of them, in predictions and in who hurts whom; or nothing.");

    /** Every key of this stage, in the order of the reference file. */
    public static final List<ConfigKey<?>> KEYS =
            List.of(SAMPLE_MAX_AGE_HEARTBEATS, HISTORY_MINUTES, HISTORY_METRICS, OUTSIDE);

    private static String names(List<NodeMetric> metrics) {
        return metrics.stream().map(NodeMetric::wireName).collect(Collectors.joining(","));
    }

    private static List<NodeMetric> metrics(String names) {
        return Arrays.stream(names.split(","))
                .map(String::strip)
                .map(name -> NodeMetric.ofWireName(name).orElseThrow(() -> new IllegalArgumentException(name)))
                .distinct()
                .toList();
    }

    /** Settings without a history of nodes. */
    public IngestSettings(int sampleMaxAgeHeartbeats, int maxPayloadBytes, Duration clockSkewWarning) {
        this(sampleMaxAgeHeartbeats, maxPayloadBytes, clockSkewWarning, 0, List.of(), OutsideUse.NEIGHBOUR);
    }

    /** Reads all settings; {@code lookup} as in {@link ConfigKey#read}. */
    public static IngestSettings from(BinaryOperator<String> lookup) {
        return new IngestSettings(
                SAMPLE_MAX_AGE_HEARTBEATS.read(lookup),
                HeartbeatCodec.MAX_PAYLOAD_BYTES,
                CLOCK_SKEW_WARNING,
                HISTORY_MINUTES.read(lookup),
                HISTORY_METRICS.read(lookup),
                OUTSIDE.read(lookup));
    }

    Duration sampleMaxAge(Duration heartbeatInterval) {
        Duration age = heartbeatInterval.multipliedBy(sampleMaxAgeHeartbeats);
        return age.compareTo(MAX_AGE_LIMIT) < 0 ? age : MAX_AGE_LIMIT;
    }
}
