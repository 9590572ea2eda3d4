package org.interference.yarn.predict;

import java.util.Objects;
import org.interference.yarn.signal.Signal;

/**
 * Trees over the figures of a {@link Situation}, and over how much more the neighbours press on each resource than the task
 * itself. Immutable.
 *
 * <p>These ratios are what carries over to tasks that were not learnt from: a share of a resource depends on what each wants of it
 * and not on how much that is.
 */
public final class BoostedModel implements Model {
    private static final int RATIOS = Situation.SIZE;
    /** How many inputs the trees have. */
    public static final int INPUTS = RATIOS + Situation.OWN;

    /** Who presses less on a resource does not wait for it. */
    private static final double USES = 0.005;
    /** Added to what a task presses, so that a ratio to hardly anything is not a large one. */
    private static final double LEAST_OWN = 0.02;

    private static final Signal[] SIGNALS = Signal.values();

    private final Forest forest;

    public BoostedModel(Forest forest) {
        this.forest = Objects.requireNonNull(forest, "forest is null");
    }

    public Forest forest() {
        return forest;
    }

    @Override
    public double logSlowdown(Situation situation) {
        return forest.sum(inputs(situation));
    }

    /** Whether a larger input never lowers the answer: all but the task's own levels. */
    static boolean isMonotone(int input) {
        return input >= Situation.OWN;
    }

    static double[] inputs(Situation situation) {
        double[] inputs = new double[INPUTS];
        double[] figures = situation.array();
        System.arraycopy(figures, 0, inputs, 0, Situation.SIZE);
        for (int signal = 0; signal < Situation.OWN; signal++) {
            double own = figures[signal];
            boolean adds = SIGNALS[signal].combination() == Signal.Combination.SUM;
            inputs[RATIOS + signal] = adds && own > USES ? figures[Situation.OWN + signal] / (own + LEAST_OWN) : 0;
        }
        return inputs;
    }
}
