package org.interference.yarn.predict;

import java.util.Objects;
import java.util.OptionalDouble;

/**
 * The prior, what was learnt since, and live calibration (ADR-0012), which whoever learns replaces as one. Thread-safe.
 *
 * <p>Its answers are those of the {@link Composition} of the moment; {@link #of} pins one, so that all nodes of a ranking are
 * asked of the same.
 */
public final class ComposedPredictor implements SlowdownPredictor {
    /** The value of {@code yarn.interference.predict.predictor} that selects this predictor. */
    public static final String NAME = "composed";

    private final PriorPredictor prior;
    private volatile Composition current;

    /** Begins with what was published. */
    public ComposedPredictor() {
        this(PriorPredictor.PUBLISHED);
    }

    /** @param prior what it begins with, and answers where nothing better was learnt */
    public ComposedPredictor(PriorPredictor prior) {
        this.prior = Objects.requireNonNull(prior, "prior is null");
        this.current = Composition.of(prior);
    }

    @Override
    public String name() {
        return NAME;
    }

    /** Returns what it began with. */
    public PriorPredictor prior() {
        return prior;
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

    @Override
    public double slowdown(Situation situation, Pressure pressure) {
        return current.slowdown(situation, pressure);
    }

    @Override
    public OptionalDouble error() {
        return current.error();
    }

    @Override
    public OptionalDouble spread() {
        return current.spread();
    }

    @Override
    public OptionalDouble margin() {
        return current.margin();
    }
}
