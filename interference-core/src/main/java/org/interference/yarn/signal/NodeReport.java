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
 * @param figures of the node itself
 */
public record NodeReport(
        long incarnation, long sequence, Instant measuredAt, List<ContainerReport> containers, NodeFigures figures) {
    public NodeReport {
        Objects.requireNonNull(measuredAt, "measuredAt is null");
        Objects.requireNonNull(figures, "figures is null");
        containers = List.copyOf(containers);
    }

    /** Returns this report without what containers exchange. */
    public NodeReport withoutFlows() {
        for (ContainerReport container : containers) {
            if (!container.flows().isEmpty()) {
                List<ContainerReport> silent =
                        containers.stream().map(one -> one.withFlows(List.of())).toList();
                return new NodeReport(incarnation, sequence, measuredAt, silent, figures);
            }
        }
        return this;
    }

    /** A report of a node that says nothing of itself. */
    public NodeReport(long incarnation, long sequence, Instant measuredAt, List<ContainerReport> containers) {
        this(incarnation, sequence, measuredAt, containers, NodeFigures.EMPTY);
    }
}
