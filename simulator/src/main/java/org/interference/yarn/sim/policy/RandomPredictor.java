package org.interference.yarn.sim.policy;

import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.sim.world.Seeds;

/** A placebo: a slowdown between 1 and 2 that is a hash of what is asked. Made by the plugin, by reflection. */
public final class RandomPredictor implements SlowdownPredictor {
    @Override
    public String name() {
        return "random";
    }

    @Override
    public Prediction predict(InterferenceVector task, Neighbours neighbours) {
        long bits = 0;
        for (double level : task.levels().values()) {
            bits = Seeds.of(bits, Double.doubleToLongBits(level));
        }
        return new Prediction.Slowdown(1 + Seeds.uniform(Seeds.of(bits, neighbours.hashCode())));
    }
}
