package org.interference.yarn.sim.engine;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.interference.yarn.sim.world.GroundTruth;
import org.interference.yarn.sim.world.Load;

/** All that is true at the present moment, as nobody on a real cluster knows it. For who is to be compared with alone. */
public interface Omniscience {
    GroundTruth truth();

    /** Returns what runs on a node, its daemons among it. */
    List<Load> running(NodeId node);

    /** Returns the task that an attempt would start next, as what it would be on {@code node}; empty if none waits. */
    Optional<Load> next(ApplicationAttemptId attempt, NodeId node);

    /** Returns the memory that a container which runs on {@code node} uses at the most, MiB; empty where nobody counts it. */
    OptionalDouble peakMb(NodeId node, ContainerId container);

    /** Returns the same of the task that an attempt would start next. */
    OptionalDouble peakMb(ApplicationAttemptId attempt);
}
