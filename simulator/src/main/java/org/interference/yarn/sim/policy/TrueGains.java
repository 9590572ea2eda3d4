package org.interference.yarn.sim.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.interference.yarn.sim.engine.Insight;
import org.interference.yarn.sim.engine.Omniscience;
import org.interference.yarn.sim.world.Load;

/** The world's own gains. */
final class TrueGains implements Gains {
    private final Omniscience everything;

    TrueGains(Insight insight) {
        this.everything = insight.everything();
    }

    @Override
    public OptionalDouble gain(NodeId node, ApplicationAttemptId attempt) {
        Optional<Load> next = everything.next(attempt);
        if (next.isEmpty()) {
            return OptionalDouble.empty();
        }
        List<Load> running = everything.running(node);
        List<Load> together = new ArrayList<>(running);
        together.add(next.get());
        return OptionalDouble.of(throughput(together) - throughput(running));
    }

    private double throughput(List<Load> together) {
        double sum = 0;
        for (double slowdown : everything.truth().slowdowns(together)) {
            sum += 1 / slowdown;
        }
        return sum;
    }
}
