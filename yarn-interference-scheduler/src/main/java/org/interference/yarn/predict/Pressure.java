package org.interference.yarn.predict;

import org.interference.yarn.signal.InterferenceVector;

/**
 * What one task, or all of a node, adds to what others feel there, in the form of a {@link Situation}: worked out once for a task that is
 * thought of beside thousands, or a node on which dozens are. Immutable.
 */
public final class Pressure {
    /** That of nobody. */
    static final Pressure NONE = new Pressure(Neighbours.NONE);

    /** In the order of the neighbours' figures of a situation; 0 for what the task has no level of. */
    private final double[] figures = new double[Situation.SIZE - Situation.OWN];

    private Pressure(Neighbours neighbours) {
        Situation beside = Situation.of(InterferenceVector.EMPTY, neighbours);
        System.arraycopy(beside.array(), Situation.OWN, figures, 0, figures.length);
    }

    /** Returns the pressure of {@code task}. */
    public static Pressure of(InterferenceVector task) {
        return new Pressure(Neighbours.NONE.with(task));
    }

    /** Returns what {@code neighbours} press together. */
    public static Pressure of(Neighbours neighbours) {
        return new Pressure(neighbours);
    }

    double[] array() {
        return figures;
    }
}
