package org.interference.yarn.plan;

import java.util.random.RandomGenerator;

/**
 * Stochastic hill climbing (thesis 6.2.2): from the round robin on, a random neighbour is taken if it costs less. When none has for long,
 * it begins again, which the published one does not, from a random arrangement, until the budget is spent; the best of all climbs is the answer.
 */
public final class HillClimb implements Solver {
    /** Some are missed when so many are drawn of the pairs that there are, but few. The authors' program gives up after 2,000. */
    private static final long PATIENCE_PER_PAIR = 20;

    private static final double NOISE = 1e-12;

    @Override
    public String name() {
        return "climb";
    }

    @Override
    public Solution solve(Problem problem, Budget budget, RandomGenerator random) {
        Arrangement arrangement = RoundRobin.deal(problem);
        Neighbourhood neighbourhood = new Neighbourhood(arrangement, random);
        Best best = new Best(arrangement);
        if (neighbourhood.isEmpty()) {
            return best.solution(0, true);
        }
        long patience =
                PATIENCE_PER_PAIR * problem.instances() * problem.machines().size();
        Budget.Progress progress = budget.start();
        long idle = 0;
        while (progress.step()) {
            double change = neighbourhood.step();
            if (Double.isNaN(change)) {
                idle++;
            } else if (neighbourhood.exceedsLess() || (!neighbourhood.exceedsMore() && change < -NOISE)) {
                idle = 0;
            } else {
                arrangement.undo();
                idle++;
            }
            if (idle > patience) {
                best.look();
                arrangement.restore(RoundRobin.scatter(problem, random));
                idle = 0;
            }
        }
        best.look();
        return best.solution(progress.taken(), false);
    }
}
