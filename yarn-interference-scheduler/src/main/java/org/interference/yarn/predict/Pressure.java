package org.interference.yarn.predict;

import org.interference.yarn.signal.InterferenceVector;

/**
 * What one task adds to what its neighbours feel, in the form of a {@link Situation}: worked out once for a task that is thought of
 * beside thousands. Immutable.
 */
public final class Pressure {
    /** That of nobody. */
    static final Pressure NONE = new Pressure(InterferenceVector.EMPTY);

    /** In the order of the neighbours' figures of a situation; 0 for what the task has no level of. */
    private final double[] figures = new double[Situation.SIZE - Situation.OWN];

    private Pressure(InterferenceVector task) {
        Situation beside = Situation.of(InterferenceVector.EMPTY, Neighbours.NONE.with(task));
        System.arraycopy(beside.array(), Situation.OWN, figures, 0, figures.length);
    }

    /** Returns the pressure of {@code task}. */
    public static Pressure of(InterferenceVector task) {
        return new Pressure(task);
    }

    double[] array() {
        return figures;
    }
}
