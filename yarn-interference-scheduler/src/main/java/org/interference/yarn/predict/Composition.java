package org.interference.yarn.predict;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Prior, learned model and live calibration at one moment. Immutable.
 *
 * <p>The learned model answers where it is trusted and inside its domain; outside, what of it holds there ({@link Model#logSlowdownBeyond}), and otherwise
 * the prior. If it does not carry over to kinds that it was not made of, its domain is for each kind the company that this was seen in, and none of a kind
 * that never was (ADR-0062). With neighbours beyond the domain the answer is at least what the learned model says at its border: it would be odd if a task
 * was said to suffer less because one more neighbour came. What was learnt from processor time alone knows nothing of what memory bandwidth and caches
 * cost: what the prior says of these is a factor of its answers that nothing corrects (ADR-0050).
 */
public final class Composition implements SlowdownPredictor {
    /** What there is on day one, where nobody has measured factors of their own. */
    public static final Composition PRIOR = of(PriorPredictor.PUBLISHED);

    private final PriorPredictor prior;
    private final Optional<LearnedPredictor> champion;
    private final Calibration calibration;
    private final Calibration.Correction correction;
    /** Where the champion is asked about the kind, if it is one in particular: nowhere if empty. */
    private final Optional<Domain> asked;

    public Composition(PriorPredictor prior, Optional<LearnedPredictor> champion, Calibration calibration) {
        this(prior, champion, calibration, calibration.cluster(), champion.map(LearnedPredictor::domain));
    }

    private Composition(
            PriorPredictor prior,
            Optional<LearnedPredictor> champion,
            Calibration calibration,
            Calibration.Correction correction,
            Optional<Domain> asked) {
        this.asked = asked;
        this.prior = Objects.requireNonNull(prior, "prior is null");
        this.champion = Objects.requireNonNull(champion, "champion is null");
        this.calibration = Objects.requireNonNull(calibration, "calibration is null");
        this.correction = Objects.requireNonNull(correction, "correction is null");
    }

    /** Returns what there is on day one. */
    public static Composition of(PriorPredictor prior) {
        return new Composition(prior, Optional.empty(), Calibration.NONE);
    }

    /** Returns what begins with the same prior as this, and has learnt that. */
    public Composition with(Optional<LearnedPredictor> learned, Calibration corrections) {
        return new Composition(prior, learned, corrections);
    }

    @Override
    public String name() {
        return ComposedPredictor.NAME;
    }

    public Optional<LearnedPredictor> champion() {
        return champion;
    }

    public Calibration calibration() {
        return calibration;
    }

    @Override
    public Composition of(String kind) {
        Calibration.Correction ofKind = calibration.of(kind);
        Optional<Domain> ofIts = champion.flatMap(model -> model.domain(kind));
        return ofKind.equals(correction) && ofIts.equals(asked)
                ? this
                : new Composition(prior, champion, calibration, ofKind, ofIts);
    }

    @Override
    public OptionalDouble error() {
        return correction.error();
    }

    @Override
    public OptionalDouble spread() {
        return correction.spread();
    }

    @Override
    public OptionalDouble margin() {
        return correction.margin();
    }

    @Override
    public Prediction predict(Situation situation) {
        double slowdown = slowdown(situation, Pressure.NONE);
        return Double.isNaN(slowdown) ? prior.predict(situation) : Prediction.Slowdown.bounded(slowdown);
    }

    @Override
    public double slowdown(Situation situation, Pressure pressure) {
        double hidden = correction.blindToMemory() ? prior.byMemory(situation, pressure) : 1;
        if (champion.isEmpty() || !correction.usesLearned()) {
            return ofPrior(situation, pressure, hidden);
        }
        LearnedPredictor model = champion.get();
        if (asked.isEmpty() || asked.get().taskOutside(situation).isPresent()) {
            return beyond(model, situation, pressure, hidden);
        }
        double slowdown =
                bounded(hidden * Math.exp(correction.learned() * model.logAtLeast(situation, pressure, asked.get())));
        if (asked.get().hasNeighbours(situation, pressure)) {
            return slowdown;
        }
        double beyond = beyond(model, situation, pressure, hidden);
        return Double.isNaN(beyond) ? slowdown : Math.max(slowdown, beyond);
    }

    /** Returns what is said outside of the model's domain; not a number if that is nothing. */
    private double beyond(LearnedPredictor model, Situation situation, Pressure pressure, double hidden) {
        double logarithm = model.logBeyond(situation, pressure);
        return Double.isNaN(logarithm)
                ? ofPrior(situation, pressure, hidden)
                : bounded(hidden * Math.exp(correction.learned() * logarithm));
    }

    /**
     * Returns not a number if the prior does not know.
     *
     * @param hidden the factor of it that labels say nothing of, and that is not corrected by them
     */
    private double ofPrior(Situation situation, Pressure pressure, double hidden) {
        double slowdown = prior.slowdown(situation, pressure);
        return correction.prior() == 1 || Double.isNaN(slowdown)
                ? slowdown
                : bounded(hidden * Math.pow(slowdown / hidden, correction.prior()));
    }

    private static double bounded(double slowdown) {
        return Math.min(Prediction.Slowdown.HIGHEST, slowdown);
    }

    /** Equal are those of one table and one champion with the same calibration, that ask it about the same. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Composition that
                && prior.table().equals(that.prior.table())
                && champion.equals(that.champion)
                && calibration.equals(that.calibration)
                && asked.equals(that.asked)
                && correction.equals(that.correction);
    }

    @Override
    public int hashCode() {
        return Objects.hash(prior.table(), champion, calibration, correction, asked);
    }
}
