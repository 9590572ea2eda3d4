package org.interference.yarn.signal;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * One node's cumulative state, as it travels in a heartbeat. Immutable.
 *
 * @param incarnation when the sender started, in ms since the epoch by the node's clock; a new one restarts the sequence
 * @param sequence grows with every snapshot of one incarnation
 * @param measuredAt by the node's clock
 */
public record NodeReport(long incarnation, long sequence, Instant measuredAt, List<ContainerReport> containers) {
    public NodeReport {
        Objects.requireNonNull(measuredAt, "measuredAt is null");
        containers = List.copyOf(containers);
    }
}
