package org.interference.yarn.sim.policy;

import org.interference.yarn.predict.Composition;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.SlowdownPredictor;

/** What training has learnt, and nothing since. Made by the plugin, by reflection; of one JVM one run at a time uses it. */
public final class TrainedPredictor implements SlowdownPredictor {
    private static volatile Composition next = Composition.PRIOR;

    private final Composition trained = next;

    /** Says what the next one that is made has learnt. */
    static void next(Composition trained) {
        next = trained;
    }

    @Override
    public String name() {
        return "trained";
    }

    @Override
    public SlowdownPredictor of(String kind) {
        return trained.of(kind);
    }

    @Override
    public Prediction predict(Situation situation) {
        return trained.predict(situation);
    }
}
