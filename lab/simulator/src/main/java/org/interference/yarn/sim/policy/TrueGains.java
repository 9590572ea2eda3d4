package org.interference.yarn.sim.policy;

import java.util.OptionalDouble;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.interference.yarn.sim.engine.Insight;
import org.interference.yarn.sim.engine.Omniscience;

/** The world's own gains. */
final class TrueGains implements Gains {
    private final Omniscience everything;

    TrueGains(Insight insight) {
        this.everything = insight.everything();
    }

    @Override
    public OptionalDouble gain(NodeId node, ApplicationAttemptId attempt) {
        return everything.change(node, attempt, slowdown -> 1 / slowdown);
    }
}
