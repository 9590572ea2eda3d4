package org.interference.yarn.relocate.yarn;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.NodeId;

/**
 * Which applications get nothing on a node for a while, because one of their containers was asked to leave it: what comes instead is not to come back. Thread-safe; asked
 * on scheduling threads.
 */
final class KeptAway {
    /** Longer than grace and another allocation together take, and no longer than a request for this very node can wait. */
    private static final Duration TIME = Duration.ofMinutes(2);

    /** Until when, by node and application. */
    private final ConcurrentMap<NodeId, Map<ApplicationAttemptId, Instant>> until = new ConcurrentHashMap<>();

    void keep(ApplicationAttemptId application, NodeId node, Instant now) {
        until.compute(node, (id, there) -> {
            Map<ApplicationAttemptId, Instant> next = there == null ? new ConcurrentHashMap<>() : there;
            next.put(application, now.plus(TIME));
            return next;
        });
    }

    boolean isKept(ApplicationAttemptId application, NodeId node) {
        return of(node).contains(application);
    }

    /** Returns who is kept from {@code node}. */
    Set<ApplicationAttemptId> of(NodeId node) {
        Map<ApplicationAttemptId, Instant> there = until.get(node);
        return there == null ? Set.of() : there.keySet();
    }

    /** Lets those in again whose time is over. */
    void sweep(Instant now) {
        for (NodeId node : until.keySet()) {
            until.computeIfPresent(node, (id, there) -> {
                there.values().removeIf(end -> !now.isBefore(end));
                return there.isEmpty() ? null : there;
            });
        }
    }

    void forgetAll() {
        until.clear();
    }
}
