package org.interference.yarn.predict;

import java.util.Objects;
import java.util.Optional;

/**
 * Predicts what a {@link Model} says, and refuses outside the {@link Domain} of its examples. Immutable.
 *
 * <p>A task alone is not slowed down, and nobody much more than anybody who was seen, whatever the model says.
 */
public final class LearnedPredictor implements SlowdownPredictor {
    private final String name;
    private final Model model;
    private final Domain domain;
    private final double most;

    /** @param domain of the examples that {@code model} was made of */
    public LearnedPredictor(String name, Model model, Domain domain) {
        this.name = Objects.requireNonNull(name, "name is null");
        this.model = Objects.requireNonNull(model, "model is null");
        this.domain = Objects.requireNonNull(domain, "domain is null");
        this.most = Math.log(domain.worst());
    }

    @Override
    public String name() {
        return name;
    }

    public Model model() {
        return model;
    }

    public Domain domain() {
        return domain;
    }

    @Override
    public Prediction predict(Situation situation) {
        return predict(situation, domain);
    }

    /** Predicts the slowdown of a task of {@code kind}, where the model is asked about such: see {@link #domain(String)}. */
    public Prediction predict(String kind, Situation situation) {
        Optional<Domain> asked = domain(kind);
        return asked.isPresent()
                ? predict(situation, asked.get())
                : new Prediction.Unknown("the model has not seen such tasks, and does not carry over to others");
    }

    private Prediction predict(Situation situation, Domain asked) {
        Optional<String> outside = asked.taskOutside(situation).or(() -> asked.neighboursOutside(situation));
        return outside.isPresent()
                ? new Prediction.Unknown(outside.get() + " is outside of what the model has seen")
                : Prediction.Slowdown.bounded(Math.exp(logAtLeast(situation, Pressure.NONE, asked)));
    }

    /** Returns where the model is asked about {@code kind}: if it does not carry over to kinds that it was not made of, in that kind's own company, if any. */
    Optional<Domain> domain(String kind) {
        return model.carries() ? Optional.of(domain) : domain.of(kind);
    }

    /**
     * Returns the logarithm of the least slowdown that the model stands for, {@code >= 0}, with one neighbour more, who adds {@code pressure}: with
     * neighbours beyond {@code asked} that at its border. Only for a task inside of it.
     *
     * @param asked the model's domain, or a part of it
     */
    double logAtLeast(Situation situation, Pressure pressure, Domain asked) {
        Situation known = asked.atBorder(situation, pressure);
        return known.isAlone() ? 0 : Math.min(most, Math.max(0, model.logSlowdown(known)));
    }

    /** Returns the logarithm of the slowdown, {@code >= 0}, outside of the domain, too; not a number where the model knows nothing there. */
    double logBeyond(Situation situation, Pressure pressure) {
        Situation asked = situation.with(pressure);
        return asked.isAlone() ? 0 : Math.min(most, Math.max(0, model.logSlowdownBeyond(domain.known(asked))));
    }
}
