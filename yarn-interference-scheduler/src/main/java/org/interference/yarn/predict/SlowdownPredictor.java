package org.interference.yarn.predict;

import java.util.OptionalDouble;
import org.interference.yarn.signal.InterferenceVector;

/**
 * Predicts how much {@code task} slows down next to {@code neighbours}.
 *
 * <p>Pure and thread-safe: the same arguments give the same answer; no clock, no I/O, no logging, no lock.
 * One more neighbour never lowers the prediction, and signals that are absent take no
 * part. It is called on scheduling threads.
 */
public interface SlowdownPredictor {
    /** Returns the name under which decisions and health show this predictor. */
    String name();

    /** Predicts the slowdown of the task in {@code situation}, from its own levels and those of the other containers on its node. */
    Prediction predict(Situation situation);

    /**
     * Predicts the slowdown of {@code task}.
     *
     * @param task the load that the task brings by itself
     * @param neighbours the load of the other containers on the node
     */
    default Prediction predict(InterferenceVector task, Neighbours neighbours) {
        return predict(Situation.of(task, neighbours));
    }

    /**
     * Returns the slowdown of the task in {@code situation} if one more neighbour came, who adds {@code pressure}; not a number where
     * {@link #predict} would not know. Answers as that does, and makes no objects where it can be helped: a decision asks it a hundred times.
     */
    default double slowdown(Situation situation, Pressure pressure) {
        return predict(situation.with(pressure)) instanceof Prediction.Slowdown known ? known.factor() : Double.NaN;
    }

    /**
     * Returns what predicts for tasks of one kind, of whom something may have been learnt that their load does not show. It
     * answers the same for ever: what is ranked together is asked of one.
     *
     * @param kind the text of the key that the task's profile is filed under; empty for a task of which nobody knows it
     */
    default SlowdownPredictor of(String kind) {
        return this;
    }

    /**
     * Returns how wrong its latest answers about such tasks were: the mean absolute error in logarithms of the slowdown. Empty if nobody
     * has compared them with what happened.
     */
    default OptionalDouble error() {
        return OptionalDouble.empty();
    }

    /**
     * Returns half the width, in logarithms, of the interval that nine in ten of such tasks' slowdowns fall into: between {@code S / e^spread} and {@code
     * S e^spread} for an answer {@code S}. Empty if nobody has compared enough answers with what happened.
     */
    default OptionalDouble spread() {
        return OptionalDouble.empty();
    }

    /**
     * Returns half the width, in logarithms, of the interval that nodes are left by, as above for 38 in a hundred: half a standard deviation to each
     * side, where errors are distributed normally (ADR-0034). Empty if nobody has compared enough answers with what happened: then no node is left. Of a
     * predictor that knows no more than its mean absolute error it is what that would be for normal errors.
     */
    default OptionalDouble margin() {
        return error().isPresent()
                ? OptionalDouble.of(error().getAsDouble() * Math.sqrt(Math.PI / 2) / 2)
                : OptionalDouble.empty();
    }
}
