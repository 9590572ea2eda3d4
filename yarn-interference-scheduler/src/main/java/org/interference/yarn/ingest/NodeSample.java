package org.interference.yarn.ingest;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
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
    private final Instant oldest;
    private final int frozen;

    /** Made when first asked for: most samples are replaced before any request is ranked by them. */
    private volatile Map<String, InterferenceVector> running;

    /**
     * The newest measurement of one container that runs.
     *
     * @param report the newest that measured it
     * @param since when the ResourceManager first received what it says
     */
    private record Measurement(ContainerReport report, Instant since) {}

    private NodeSample(
            String node, NodeReport report, Instant receivedAt, Map<String, Measurement> measurements, Instant oldest) {
        this.node = node;
        this.report = report;
        this.receivedAt = receivedAt;
        this.measurements = measurements;
        this.oldest = oldest;
        int old = 0;
        for (Measurement measurement : measurements.values()) {
            old += measurement.since().isBefore(oldest) ? 1 : 0;
        }
        this.frozen = old;
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
        Map<String, Measurement> measurements = new HashMap<>();
        for (ContainerReport container : report.containers()) {
            if (!container.ended()) {
                Measurement newest = newest(container, receivedAt, known.get(container.container()));
                if (newest != null) {
                    measurements.put(container.container(), newest);
                }
            }
        }
        return new NodeSample(node, report, receivedAt, measurements, receivedAt.minus(maxAge));
    }

    /** Null for a container that was never measured: this runs 400,000 times a second on a cluster of 10,000 nodes. */
    private static Measurement newest(ContainerReport container, Instant receivedAt, Measurement known) {
        if (!container.isMeasured()) {
            return known;
        }
        boolean same = known != null && known.report().observed().equals(container.observed());
        return new Measurement(container, same ? known.since() : receivedAt);
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
        Map<String, InterferenceVector> known = running;
        if (known == null) {
            // Two threads may both make it; they make the same.
            known = measuredLately();
            running = known;
        }
        return known;
    }

    private Map<String, InterferenceVector> measuredLately() {
        Map<String, InterferenceVector> lately = new LinkedHashMap<>();
        for (ContainerReport container : report.containers()) {
            Measurement measurement = measurements.get(container.container());
            if (measurement != null && !measurement.since().isBefore(oldest)) {
                lately.put(container.container(), measurement.report().newest());
            }
        }
        return Collections.unmodifiableMap(lately);
    }

    /** Returns how many containers run whose measurement has not moved for too long. */
    public int frozen() {
        return frozen;
    }

    /** Returns how far the node's clock was ahead of the ResourceManager's when the report came; negative if behind. */
    public Duration clockSkew() {
        return Duration.between(receivedAt, report.measuredAt());
    }

    /** Returns whether the report is young enough to decide on, and not frozen as a whole. */
    boolean isFresh(Instant now, Duration maxAge) {
        boolean frozenAsAWhole = frozen > 0 && frozen == measurements.size();
        return !receivedAt.isBefore(now.minus(maxAge)) && !frozenAsAWhole;
    }

    /** Returns what this node's containers press together. */
    public InterferenceVector load() {
        return InterferenceVector.sum(running().values());
    }
}
