package org.interference.yarn.predict;

import java.util.Objects;

/**
 * Trees over the figures of a {@link Situation} and over what a {@link LinearModel} says of it. Immutable.
 *
 * <p>The linear model's answer is one more input, so that the trees need not learn again what a fair share is.
 */
public final class BoostedModel implements Model {
    /** Of the own levels of a signal whose users add up, plus what is beside it. */
    private static final int TOTAL = Situation.SIZE;

    private static final int LINEAR = TOTAL + Situation.OWN;
    /** How many inputs the trees have. */
    public static final int INPUTS = LINEAR + 1;

    /** Who presses less on a resource does not wait for it. */
    private static final double USES = 0.005;

    private final LinearModel linear;
    private final Forest forest;

    public BoostedModel(LinearModel linear, Forest forest) {
        this.linear = Objects.requireNonNull(linear, "linear is null");
        this.forest = Objects.requireNonNull(forest, "forest is null");
    }

    public LinearModel linear() {
        return linear;
    }

    public Forest forest() {
        return forest;
    }

    @Override
    public double logSlowdown(Situation situation) {
        return forest.sum(inputs(situation, linear));
    }

    /** Whether a larger input never lowers the answer: all but the task's own levels. */
    static boolean isMonotone(int input) {
        return input >= Situation.OWN;
    }

    static double[] inputs(Situation situation, LinearModel linear) {
        double[] inputs = new double[INPUTS];
        double[] figures = situation.array();
        for (int i = 0; i < Situation.SIZE; i++) {
            inputs[i] = figures[i];
        }
        for (int signal = 0; signal < Situation.OWN; signal++) {
            double own = figures[signal];
            inputs[TOTAL + signal] = own > USES ? own + figures[Situation.OWN + signal] : 0;
        }
        inputs[LINEAR] = linear.logSlowdown(situation);
        return inputs;
    }
}
