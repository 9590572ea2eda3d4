package org.interference.yarn.sim.policy;

import java.util.Arrays;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.sim.world.Seeds;

/** A placebo: a slowdown between 1 and 2 that is a hash of what is asked. Made by the plugin, by reflection. */
public final class RandomPredictor implements SlowdownPredictor {
    @Override
    public String name() {
        return "random";
    }

    @Override
    public Prediction predict(Situation situation) {
        // It draws the same as ever, whatever else models come to be asked with.
        double[] figures =
                situation.figures().limit(Situation.WITHOUT_PARTS.size()).toArray();
        return new Prediction.Slowdown(1 + Seeds.uniform(Seeds.of(0, Arrays.hashCode(figures))));
    }
}
