package org.interference.yarn.it;

import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.SlowdownPredictor;

/** The worst predictor: named in a test's configuration, it fails at every call. */
public final class ThrowingPredictor implements SlowdownPredictor {
    @Override
    public String name() {
        return "throwing";
    }

    @Override
    public Prediction predict(Situation situation) {
        throw new AssertionError("this predictor always fails");
    }
}
