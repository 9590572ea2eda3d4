package org.interference.yarn.sim.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.interference.yarn.sim.engine.Insight;
import org.interference.yarn.sim.engine.Omniscience;
import org.interference.yarn.sim.world.Daemons;
import org.interference.yarn.sim.world.Load;

/** The world's own gains: what it adds to the sum of all tasks' {@code 1/S}, with {@code S} their true slowdowns. */
final class TrueGains implements Gains {
    private final Omniscience everything;

    TrueGains(Insight insight) {
        this.everything = insight.everything();
    }

    @Override
    public OptionalDouble gain(SchedulerNode node, ApplicationAttemptId attempt) {
        Optional<Load> next = everything.next(attempt, node.getNodeID());
        if (next.isEmpty()) {
            return OptionalDouble.empty();
        }
        List<Load> running = everything.running(node.getNodeID());
        List<Load> together = new ArrayList<>(running);
        together.add(next.get());
        return OptionalDouble.of(rates(together) - rates(running));
    }

    private double rates(List<Load> together) {
        double rates = 0;
        double[] slowdowns = everything.truth().slowdowns(together);
        for (int i = 0; i < slowdowns.length; i++) {
            rates += Daemons.isDaemon(together.get(i)) ? 0 : 1 / slowdowns[i];
        }
        return rates;
    }
}
