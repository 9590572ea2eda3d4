package org.interference.yarn.predict;

/**
 * What was learnt from examples. Immutable and thread-safe.
 *
 * <p>One more neighbour never lowers the answer: no figure of the neighbours, see {@link Situation}, does when it grows.
 */
public interface Model {
    /**
     * Returns the natural logarithm of the slowdown; what is below 0 counts as 0.
     *
     * @param situation inside the {@link Domain} of the examples
     */
    double logSlowdown(Situation situation);

    /** Returns whether {@link #logSlowdown} holds for kinds of tasks, too, that are not among the examples. */
    default boolean carries() {
        return true;
    }

    /** Returns the same by what of the model holds outside of its examples, too; not a number where nothing does. */
    default double logSlowdownBeyond(Situation situation) {
        return Double.NaN;
    }
}
