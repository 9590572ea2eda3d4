package org.interference.yarn.sim.policy;

import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.interference.yarn.sim.engine.Insight;
import org.interference.yarn.sim.engine.Omniscience;

/** The cost that the plugin's ranker predicts, from the world's own slowdowns: the newcomer's, and what it adds to the others'. */
final class TrueCosts implements Costs {
    private final Omniscience everything;

    TrueCosts(Insight insight) {
        this.everything = insight.everything();
    }

    @Override
    public OptionalDouble cost(SchedulerNode node, ApplicationAttemptId attempt) {
        OptionalDouble added = everything.change(node.getNodeID(), attempt, slowdown -> slowdown);
        return added.isPresent() ? OptionalDouble.of(added.getAsDouble() - 1) : added;
    }
}
