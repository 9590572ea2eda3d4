package org.interference.yarn.it;

import java.util.OptionalDouble;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.SlowdownPredictor;

/** A predictor that never was wrong: nobody slows anybody down. */
public final class CertainPredictor implements SlowdownPredictor {
    @Override
    public String name() {
        return "certain";
    }

    @Override
    public Prediction predict(Situation situation) {
        return new Prediction.Slowdown(1);
    }

    @Override
    public OptionalDouble error() {
        return OptionalDouble.of(0);
    }
}
