package org.interference.yarn.sim.policy;

import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;

/** What one more task is worth to a node. */
interface Gains {
    /** Puts itself in YARN's way, before anything runs. */
    default void attach(RMContext context) {}

    /**
     * Returns what the next task of an attempt would add to a node's throughput, in tasks that run as if alone: 1 for a
     * task that neither meets nor does harm, below 0 if the node would do less than before. Empty if it is not known.
     */
    OptionalDouble gain(SchedulerNode node, ApplicationAttemptId attempt);
}
