package org.interference.yarn.plan.timefold;

import ai.timefold.solver.core.api.solver.SolverFactory;
import ai.timefold.solver.core.config.score.director.ScoreDirectorFactoryConfig;
import ai.timefold.solver.core.config.solver.SolverConfig;
import ai.timefold.solver.core.config.solver.termination.TerminationConfig;
import ai.timefold.solver.core.impl.solver.DefaultSolver;
import java.util.random.RandomGenerator;
import org.interference.yarn.plan.Arrangement;
import org.interference.yarn.plan.Budget;
import org.interference.yarn.plan.Problem;
import org.interference.yarn.plan.Solution;
import org.interference.yarn.plan.Solver;

/**
 * Timefold, as it configures itself: first fit, then late acceptance with moves and swaps, on one thread. It measures time by the
 * process's own clock, not by the budget's.
 */
public final class TimefoldSolver implements Solver {
    @Override
    public String name() {
        return "timefold";
    }

    @Override
    public Solution solve(Problem problem, Budget budget, RandomGenerator random) {
        TerminationConfig termination = new TerminationConfig();
        if (!budget.time().isZero()) {
            termination.withSpentLimit(budget.time());
        }
        if (budget.steps() < Long.MAX_VALUE) {
            termination.withMoveCountLimit(budget.steps());
        }
        SolverConfig configuration = new SolverConfig()
                .withSolutionClass(Arranged.class)
                .withEntityClasses(PlacedInstance.class)
                .withScoreDirectorFactory(
                        new ScoreDirectorFactoryConfig().withIncrementalScoreCalculatorClass(ArrangementScore.class))
                .withRandomSeed(random.nextLong())
                .withTerminationConfig(termination);
        SolverFactory<Arranged> factory = SolverFactory.create(configuration);
        ai.timefold.solver.core.api.solver.Solver<Arranged> solver = factory.buildSolver();
        Arranged best = solver.solve(new Arranged(problem));
        Arrangement arrangement = new Arrangement(problem);
        best.instances()
                .forEach(placed ->
                        arrangement.place(placed.instance(), placed.place().machine()));
        long moves = solver instanceof DefaultSolver<Arranged> counting ? counting.getMoveEvaluationCount() : 0;
        return new Solution(arrangement.plan(), arrangement.cost(), moves, false);
    }
}
