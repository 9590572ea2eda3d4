package org.interference.yarn.it;

import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.signal.InterferenceVector;

/** The worst predictor: named in a test's configuration, it fails at every call. */
public final class ThrowingPredictor implements SlowdownPredictor {
    @Override
    public String name() {
        return "throwing";
    }

    @Override
    public Prediction predict(InterferenceVector task, Neighbours neighbours) {
        throw new AssertionError("this predictor always fails");
    }
}
