package org.interference.yarn.predict;

import java.util.Objects;

/**
 * The prior, what was learnt since, and live calibration (DESIGN.md section 5), which whoever learns replaces as one. Thread-safe.
 *
 * <p>Its answers are those of the {@link Composition} of the moment; {@link #of} pins one, so that all nodes of a ranking are
 * asked of the same.
 */
public final class ComposedPredictor implements SlowdownPredictor {
    /** The value of {@code yarn.interference.predict.predictor} that selects this predictor. */
    public static final String NAME = "composed";

    private volatile Composition current = Composition.PRIOR;

    @Override
    public String name() {
        return NAME;
    }

    /** Answers by {@code composition} from now on. */
    public void use(Composition composition) {
        current = Objects.requireNonNull(composition, "composition is null");
    }

    public Composition current() {
        return current;
    }

    @Override
    public Composition of(String kind) {
        return current.of(kind);
    }

    @Override
    public Prediction predict(Situation situation) {
        return current.predict(situation);
    }
}
