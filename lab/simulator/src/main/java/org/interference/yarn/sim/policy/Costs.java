package org.interference.yarn.sim.policy;

import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;

/** What the next container of an attempt costs on a node. */
interface Costs {
    /** Puts itself in YARN's way, before anything runs. */
    default void attach(RMContext context) {}

    /** Returns the cost; empty if it is not known. */
    OptionalDouble cost(SchedulerNode node, ApplicationAttemptId attempt);
}
