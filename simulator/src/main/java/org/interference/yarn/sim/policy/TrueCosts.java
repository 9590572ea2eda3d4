package org.interference.yarn.sim.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.interference.yarn.sim.engine.Insight;
import org.interference.yarn.sim.engine.Omniscience;
import org.interference.yarn.sim.world.Load;

/** The cost that the plugin's ranker predicts, from the world's own slowdowns: the newcomer's, and what it adds to the others'. */
final class TrueCosts implements Costs {
    private final Omniscience everything;

    TrueCosts(Insight insight) {
        this.everything = insight.everything();
    }

    @Override
    public OptionalDouble cost(SchedulerNode node, ApplicationAttemptId attempt) {
        Optional<Load> next = everything.next(attempt);
        if (next.isEmpty()) {
            return OptionalDouble.empty();
        }
        List<Load> running = everything.running(node.getNodeID());
        List<Load> together = new ArrayList<>(running);
        together.add(next.get());
        return OptionalDouble.of(slowdown(together) - slowdown(running) - 1);
    }

    private double slowdown(List<Load> together) {
        double sum = 0;
        for (double slowdown : everything.truth().slowdowns(together)) {
            sum += slowdown;
        }
        return sum;
    }
}
