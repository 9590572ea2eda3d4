package org.interference.yarn.plan.timefold;

import ai.timefold.solver.core.api.solver.SolverFactory;
import ai.timefold.solver.core.config.score.director.ScoreDirectorFactoryConfig;
import ai.timefold.solver.core.config.solver.EnvironmentMode;
import ai.timefold.solver.core.config.solver.SolverConfig;
import ai.timefold.solver.core.config.solver.termination.TerminationConfig;
import ai.timefold.solver.core.impl.solver.DefaultSolver;
import java.util.Timer;
import java.util.TimerTask;
import java.util.random.RandomGenerator;
import org.interference.yarn.plan.Arrangement;
import org.interference.yarn.plan.Budget;
import org.interference.yarn.plan.Problem;
import org.interference.yarn.plan.Solution;
import org.interference.yarn.plan.Solver;

/**
 * Timefold, as it configures itself: first fit, then late acceptance with moves and swaps, on one thread. Another thread reads the
 * budget's clock.
 */
public final class TimefoldSolver implements Solver {
    private static final long LOOK_MILLIS = 20;

    @Override
    public String name() {
        return "timefold";
    }

    @Override
    public Solution solve(Problem problem, Budget budget, RandomGenerator random) {
        TerminationConfig termination = new TerminationConfig().withMoveCountLimit(budget.steps());
        SolverConfig configuration = new SolverConfig()
                // Sums of fractions that are kept up differ from those made anew in their last digits, which the
                // library takes for an error.
                .withEnvironmentMode(EnvironmentMode.NO_ASSERT)
                .withSolutionClass(Arranged.class)
                .withEntityClasses(PlacedInstance.class)
                .withScoreDirectorFactory(
                        new ScoreDirectorFactoryConfig().withIncrementalScoreCalculatorClass(ArrangementScore.class))
                .withRandomSeed(random.nextLong())
                .withTerminationConfig(termination);
        SolverFactory<Arranged> factory = SolverFactory.create(configuration);
        ai.timefold.solver.core.api.solver.Solver<Arranged> solver = factory.buildSolver();
        Arranged best = solve(solver, new Arranged(problem), budget);
        Arrangement arrangement = new Arrangement(problem);
        best.instances()
                .forEach(placed ->
                        arrangement.place(placed.instance(), placed.place().machine()));
        long moves = solver instanceof DefaultSolver<Arranged> counting ? counting.getMoveEvaluationCount() : 0;
        return new Solution(arrangement.plan(), arrangement.cost(), moves, false);
    }

    /** The library knows the process's clock alone; another thread looks at the budget's. */
    private static Arranged solve(
            ai.timefold.solver.core.api.solver.Solver<Arranged> solver, Arranged problem, Budget budget) {
        if (budget.time().isZero()) {
            return solver.solve(problem);
        }
        long end = budget.clock().getAsLong() + budget.time().toNanos();
        Timer timer = new Timer("plan-deadline", true);
        TimerTask look = new TimerTask() {
            @Override
            public void run() {
                if (budget.clock().getAsLong() >= end) {
                    solver.terminateEarly();
                }
            }
        };
        try {
            timer.schedule(look, LOOK_MILLIS, LOOK_MILLIS);
            return solver.solve(problem);
        } finally {
            timer.cancel();
        }
    }
}
