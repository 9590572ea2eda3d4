package org.interference.yarn.predict;

import java.util.Objects;
import org.interference.yarn.signal.Signal;

/**
 * What the prior says, corrected by trees over the figures of a {@link Situation}, and over how much more the neighbours press on each
 * resource than the task itself. Immutable.
 *
 * <p>Formula: {@code ln S = c ln P + d ln Q + sum of the trees}, with {@code P} the {@link PriorPredictor}'s slowdown, {@code Q} that of the task's {@link
 * FairShare}, and {@code c} and {@code d} at least 0. So in company that nobody was seen in, or on a node of another size, the answer is near what
 * these say, and not that of the company which is most like it.
 *
 * <p>These ratios are what carries over to tasks that were not learnt from: a share of a resource depends on what each wants of it
 * and not on how much that is.
 */
public final class BoostedModel implements Model {
    private static final int RATIOS = Situation.PARTS;
    /** Behind what trees of earlier releases have. */
    private static final int PARTS = RATIOS + Situation.OWN;
    /** How many inputs the trees have. */
    public static final int INPUTS = PARTS + Parts.SIZE;

    /** Who presses less on a resource does not wait for it. */
    private static final double USES = 0.005;
    /** Added to what a task presses, so that a ratio to hardly anything is not a large one. */
    private static final double LEAST_OWN = 0.02;

    private static final Signal[] SIGNALS = Signal.predictors().toArray(Signal[]::new);

    private final PriorPredictor corrected;
    private final Base base;
    private final Forest forest;
    private final boolean carries;

    /**
     * What the trees begin with.
     *
     * @param prior by what the logarithm of the prior's slowdown is multiplied
     * @param share by what that of the fair share's is
     */
    public record Base(double prior, double share) {
        /** @throws IllegalArgumentException if one is not finite and {@code >= 0} */
        public Base {
            if (!(prior >= 0 && prior <= Double.MAX_VALUE && share >= 0 && share <= Double.MAX_VALUE)) {
                throw new IllegalArgumentException(
                        "exponents must be finite and >= 0, got %s of the prior and %s of the fair share"
                                .formatted(prior, share));
            }
        }

        /** Returns the logarithm of the slowdown by both, {@code >= 0}. */
        public double logSlowdown(PriorPredictor corrected, Situation situation) {
            return prior * logPrior(corrected, situation) + share * FairShare.logSlowdown(situation);
        }
    }

    /**
     * @param corrected the prior that the trees correct
     * @param carries whether the trees are right about kinds of tasks, too, that they were not grown with
     */
    public BoostedModel(PriorPredictor corrected, Base base, Forest forest, boolean carries) {
        this.carries = carries;
        this.corrected = Objects.requireNonNull(corrected, "corrected is null");
        this.base = Objects.requireNonNull(base, "base is null");
        this.forest = Objects.requireNonNull(forest, "forest is null");
    }

    /** Returns the prior that the trees correct: beside another one they are wrong. */
    public PriorPredictor corrected() {
        return corrected;
    }

    public Base base() {
        return base;
    }

    public Forest forest() {
        return forest;
    }

    @Override
    public double logSlowdown(Situation situation) {
        return base.logSlowdown(corrected, situation) + forest.sum(inputs(situation));
    }

    @Override
    public boolean carries() {
        return carries;
    }

    /** The trees know nothing there. */
    @Override
    public double logSlowdownBeyond(Situation situation) {
        return base.logSlowdown(corrected, situation);
    }

    /** Returns the logarithm of the prior's slowdown, 0 where it knows nothing. */
    static double logPrior(PriorPredictor prior, Situation situation) {
        double slowdown = prior.slowdown(situation, Pressure.NONE);
        return Double.isNaN(slowdown) ? 0 : Math.log(slowdown);
    }

    /** Whether a larger input never lowers the answer: all but the task's own levels. */
    public static boolean isMonotone(int input) {
        return input >= Situation.OWN;
    }

    /** Whether examples of {@code domain} have what an input is made of. */
    static boolean has(Domain domain, int input) {
        boolean isRatio = input >= RATIOS && input < PARTS;
        return isRatio || domain.has(input < RATIOS ? input : Situation.PARTS + input - PARTS);
    }

    /** Returns what the trees are asked with: all figures, not a number where the task has none, and the ratios. */
    public static double[] inputs(Situation situation) {
        double[] inputs = new double[INPUTS];
        double[] figures = situation.array();
        System.arraycopy(figures, 0, inputs, 0, RATIOS);
        System.arraycopy(figures, Situation.PARTS, inputs, PARTS, Parts.SIZE);
        for (int signal = 0; signal < Situation.OWN; signal++) {
            double own = figures[signal];
            boolean adds = SIGNALS[signal].combination() == Signal.Combination.SUM;
            inputs[RATIOS + signal] = adds && own > USES ? figures[Situation.OWN + signal] / (own + LEAST_OWN) : 0;
        }
        return inputs;
    }
}
