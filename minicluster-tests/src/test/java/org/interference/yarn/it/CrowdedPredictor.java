package org.interference.yarn.it;

import java.util.OptionalDouble;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.signal.Signal;

/** A predictor that never was wrong: who needs a CPU suffers from others that do, {@code 1 + 10 x own CPU x the neighbours' CPU}. */
public final class CrowdedPredictor implements SlowdownPredictor {
    @Override
    public String name() {
        return "crowded";
    }

    @Override
    public Prediction predict(Situation situation) {
        return new Prediction.Slowdown(1 + 10 * situation.own(Signal.CPU).orElse(0) * situation.beside(Signal.CPU));
    }

    @Override
    public OptionalDouble error() {
        return OptionalDouble.of(0);
    }
}
