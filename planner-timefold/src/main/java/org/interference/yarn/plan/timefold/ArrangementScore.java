package org.interference.yarn.plan.timefold;

import ai.timefold.solver.core.api.score.buildin.hardsoftlong.HardSoftLongScore;
import ai.timefold.solver.core.api.score.calculator.IncrementalScoreCalculator;
import org.interference.yarn.plan.Arrangement;

/** What the library asks after each move: first what does not fit, then the sum of the machines' costs. Not thread-safe. */
public final class ArrangementScore implements IncrementalScoreCalculator<Arranged, HardSoftLongScore> {
    /** The library's scores are whole numbers. */
    private static final double SCALE = 1e9;

    private Arrangement arrangement;

    @Override
    public void resetWorkingSolution(Arranged solution) {
        arrangement = new Arrangement(solution.problem());
        solution.instances().forEach(this::place);
    }

    @Override
    public void beforeVariableChanged(Object entity, String variable) {
        remove((PlacedInstance) entity);
    }

    @Override
    public void afterVariableChanged(Object entity, String variable) {
        place((PlacedInstance) entity);
    }

    @Override
    public void beforeEntityAdded(Object entity) {
        // It is placed when it was added.
    }

    @Override
    public void afterEntityAdded(Object entity) {
        place((PlacedInstance) entity);
    }

    @Override
    public void beforeEntityRemoved(Object entity) {
        remove((PlacedInstance) entity);
    }

    @Override
    public void afterEntityRemoved(Object entity) {
        // It was taken away before.
    }

    private void place(PlacedInstance instance) {
        if (instance.place() != null) {
            arrangement.place(instance.instance(), instance.place().machine());
        }
    }

    private void remove(PlacedInstance instance) {
        if (instance.place() != null) {
            arrangement.remove(instance.instance());
        }
    }

    @Override
    public HardSoftLongScore calculateScore() {
        return HardSoftLongScore.of(
                -(long) Math.ceil(arrangement.excess() * SCALE), -Math.round(arrangement.sum() * SCALE));
    }
}
