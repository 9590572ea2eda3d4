package org.interference.yarn.capacity;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * All that the size of one node is decided by. Immutable.
 *
 * @param node its id
 * @param configured what the administrator gave it, lately: by its configuration, {@code -updateNodeResource}, a decommissioning or an autoscaler.
 *     When it changes, what was decided before is forgotten
 * @param now the size that YARN takes it for
 * @param running every container that the scheduler has there, also those that have not begun
 * @param waiting one of each kind that waits and may be placed there, the ApplicationMasters aside
 * @param reportAge age of the newest report; empty if there is none
 * @param owes whether, since the last decision, somebody who may have what is configured was kept off it for want of memory, as others are there by growth
 */
public record NodeState(
        String node,
        Size configured,
        Size now,
        List<RunningContainer> running,
        List<WaitingKind> waiting,
        NodePressure pressure,
        Optional<Duration> reportAge,
        boolean owes) {
    public NodeState {
        running = List.copyOf(running);
        waiting = List.copyOf(waiting);
    }

    /** Returns what YARN counts all containers there as; it may be more than the node has. */
    public Size used() {
        Size used = Size.ZERO;
        for (RunningContainer container : running) {
            used = container.opportunistic() ? used : used.plus(container.requested());
        }
        return used;
    }
}
