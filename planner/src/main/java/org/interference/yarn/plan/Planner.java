package org.interference.yarn.plan;

import java.util.Optional;
import java.util.SplittableRandom;

/** Plans, and compares. Pure but for the budget's clock. */
public final class Planner {
    /** From so few pairs of instance and machine on, more steps than this find nothing more. */
    private static final long STEPS_PER_PAIR = 2_000;

    private static final long LEAST_STEPS = 20_000;

    private Planner() {}

    /**
     * Returns the best plan that {@code solver} finds, beside what it finds when it looks at interference or at affinity alone.
     *
     * @param budget for each of the three; small problems end earlier
     * @param today where everything is now
     * @throws PlanException if no plan was found in which everything fits, or {@code today} is no plan for this problem
     */
    public static Answer answer(Problem problem, Solver solver, Budget budget, long seed, Optional<Plan> today) {
        long pairs = (long) problem.instances() * problem.machines().size();
        Budget each = budget.atMost(Math.max(LEAST_STEPS, STEPS_PER_PAIR * pairs));
        Optional<Assessment> now = today.map(problem::assess);
        Solution solution = solve(problem, Objective.BOTH, solver, each, seed);
        Solution interference = solve(problem, Objective.INTERFERENCE_ONLY, solver, each, seed);
        Solution affinity = solve(problem, Objective.AFFINITY_ONLY, solver, each, seed);
        return new Answer(
                problem,
                solver.name(),
                solution,
                problem.assess(solution.plan()),
                problem.assess(interference.plan()),
                problem.assess(affinity.plan()),
                now);
    }

    private static Solution solve(Problem problem, Objective objective, Solver solver, Budget budget, long seed) {
        Solution solution = solver.solve(problem.with(objective), budget, new SplittableRandom(seed));
        if (Double.isInfinite(solution.cost())) {
            throw new PlanException(
                    solution.optimal()
                            ? "There is no plan in which every tier fits"
                            : "No plan was found in which every tier fits, though together they are not too large");
        }
        return solution;
    }
}
