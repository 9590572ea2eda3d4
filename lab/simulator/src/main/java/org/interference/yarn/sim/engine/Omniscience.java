package org.interference.yarn.sim.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleUnaryOperator;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.interference.yarn.sim.world.GroundTruth;
import org.interference.yarn.sim.world.Load;

/** All that is true at the present moment, as nobody on a real cluster knows it. For ceilings only. */
public interface Omniscience {
    GroundTruth truth();

    /** Returns what runs on a node. */
    List<Load> running(NodeId node);

    /** Returns the task that an attempt would start next; empty if none waits. */
    Optional<Load> next(ApplicationAttemptId attempt);

    /** Returns what {@code weight} of the slowdowns of a node's tasks sums up to with that task, less what it does without. */
    default OptionalDouble change(NodeId node, ApplicationAttemptId attempt, DoubleUnaryOperator weight) {
        Optional<Load> next = next(attempt);
        if (next.isEmpty()) {
            return OptionalDouble.empty();
        }
        List<Load> running = running(node);
        List<Load> together = new ArrayList<>(running);
        together.add(next.get());
        return OptionalDouble.of(sum(together, weight) - sum(running, weight));
    }

    private double sum(List<Load> together, DoubleUnaryOperator weight) {
        double sum = 0;
        for (double slowdown : truth().slowdowns(together)) {
            sum += weight.applyAsDouble(slowdown);
        }
        return sum;
    }
}
