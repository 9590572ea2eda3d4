package org.interference.yarn.place.yarn;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;

/**
 * What one application was declined in one visit of a scheduling thread's. YARN offers the same node next to what that application asks
 * for with less priority, which is not to come before what it asks for first. Only for that thread.
 */
final class DeclinedAsks {
    private ApplicationAttemptId attempt;
    private int priority;
    private final Set<SchedulerNode> nodes = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Notes that {@code attempt} was declined {@code node} for what it asks for under {@code key}. */
    void add(ApplicationAttemptId declined, SchedulerRequestKey key, SchedulerNode node) {
        int its = key.getPriority().getPriority();
        if (!declined.equals(attempt) || its != priority) {
            forget();
            attempt = declined;
            priority = its;
        }
        nodes.add(node);
    }

    /** Returns whether {@code asking} was declined {@code node} for something that it rather has; of YARN's priorities the lowest comes first. */
    boolean isBehind(ApplicationAttemptId asking, SchedulerRequestKey key, SchedulerNode node) {
        return attempt != null
                && priority < key.getPriority().getPriority()
                && nodes.contains(node)
                && attempt.equals(asking);
    }

    /** Begins a visit. */
    void forget() {
        if (attempt != null) {
            attempt = null;
            nodes.clear();
        }
    }
}
