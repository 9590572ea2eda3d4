package org.interference.yarn.ingest;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.NodeReport;

/**
 * One node's newest report, as the ResourceManager holds it. Immutable.
 *
 * <p>A report can be new without saying anything new of a container: its counters cannot be read at the moment, or they
 * are frozen. Such a container keeps its last levels until they are too old; then it counts as frozen.
 */
public final class NodeSample {
    private final String node;
    private final NodeReport report;
    private final Instant receivedAt;
    private final Map<String, Measurement> measurements;
    private final Map<String, InterferenceVector> running;

    /**
     * The newest measurement of one container that runs.
     *
     * @param observed how long the container had been observed then: it grows with every measurement
     * @param since when the ResourceManager first received it
     */
    private record Measurement(InterferenceVector load, Duration observed, Instant since) {}

    private NodeSample(
            String node,
            NodeReport report,
            Instant receivedAt,
            Map<String, Measurement> measurements,
            Map<String, InterferenceVector> running) {
        this.node = node;
        this.report = report;
        this.receivedAt = receivedAt;
        this.measurements = measurements;
        this.running = Collections.unmodifiableMap(running);
    }

    /**
     * Returns the sample that {@code report} makes of its node.
     *
     * @param previous the sample that it replaces
     * @param maxAge of a container's measurement
     */
    public static NodeSample of(
            String node, NodeReport report, Instant receivedAt, Optional<NodeSample> previous, Duration maxAge) {
        Map<String, Measurement> known =
                previous.map(sample -> sample.measurements).orElse(Map.of());
        Instant oldest = receivedAt.minus(maxAge);
        Map<String, Measurement> measurements = new LinkedHashMap<>();
        Map<String, InterferenceVector> running = new LinkedHashMap<>();
        for (ContainerReport container : report.containers()) {
            if (container.ended()) {
                continue;
            }
            String id = container.container();
            measurement(container, receivedAt, Optional.ofNullable(known.get(id)))
                    .ifPresent(newest -> {
                        measurements.put(id, newest);
                        if (!newest.since().isBefore(oldest)) {
                            running.put(id, newest.load());
                        }
                    });
        }
        return new NodeSample(node, report, receivedAt, measurements, running);
    }

    private static Optional<Measurement> measurement(
            ContainerReport container, Instant receivedAt, Optional<Measurement> known) {
        InterferenceVector newest = container.newest();
        if (newest.isEmpty()) {
            return known;
        }
        Instant since = known.filter(held -> held.observed().equals(container.observed()))
                .map(Measurement::since)
                .orElse(receivedAt);
        return Optional.of(new Measurement(newest, container.observed(), since));
    }

    /** Host and port, as YARN writes a node id. */
    public String node() {
        return node;
    }

    public NodeReport report() {
        return report;
    }

    /** By the ResourceManager's clock: ages the sample, so that the node's clock cannot. */
    public Instant receivedAt() {
        return receivedAt;
    }

    /** The newest levels of each container that has not ended and was measured lately, by container id. */
    public Map<String, InterferenceVector> running() {
        return running;
    }

    /** Returns how many containers run whose measurement has not moved for too long. */
    public int frozen() {
        return measurements.size() - running.size();
    }

    /** Returns how far the node's clock was ahead of the ResourceManager's when the report came; negative if behind. */
    public Duration clockSkew() {
        return Duration.between(receivedAt, report.measuredAt());
    }

    /** Returns whether the report is young enough to decide on, and not frozen as a whole. */
    boolean isFresh(Instant now, Duration maxAge) {
        boolean frozenAsAWhole = running.isEmpty() && frozen() > 0;
        return !receivedAt.isBefore(now.minus(maxAge)) && !frozenAsAWhole;
    }

    /** Returns what this node's containers press together. */
    public InterferenceVector load() {
        return InterferenceVector.sum(running.values());
    }
}
