package org.interference.yarn.ingest;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.NodeReport;

/**
 * One node's newest report, as the ResourceManager holds it. Immutable.
 *
 * @param node host and port, as YARN writes a node id
 * @param receivedAt by the ResourceManager's clock: ages the sample, so that clock skew cannot
 * @param running the newest levels of each container that has not ended, by container id
 */
public record NodeSample(String node, NodeReport report, Instant receivedAt, Map<String, InterferenceVector> running) {

    static NodeSample of(String node, NodeReport report, Instant receivedAt) {
        Map<String, InterferenceVector> running = new LinkedHashMap<>();
        for (ContainerReport container : report.containers()) {
            InterferenceVector newest = container.newest();
            if (!container.ended() && !newest.isEmpty()) {
                running.put(container.container(), newest);
            }
        }
        return new NodeSample(node, report, receivedAt, Map.copyOf(running));
    }

    boolean isFresh(Instant now, Duration maxAge) {
        return !receivedAt.isBefore(now.minus(maxAge));
    }

    /** Returns what this node's containers press together. */
    public InterferenceVector load() {
        return InterferenceVector.sum(running.values());
    }
}
