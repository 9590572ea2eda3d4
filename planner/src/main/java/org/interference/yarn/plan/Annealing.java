package org.interference.yarn.plan;

import java.util.random.RandomGenerator;

/**
 * Simulated annealing (thesis 6.2.3): as {@link HillClimb}, but a neighbour that costs more is taken, too, with the probability of
 * equation 6.9, {@code exp((s - s') / T)}. {@code s} is here the sum of the machines' costs, not their mean: so {@code T} means the same
 * on few machines and on many, the cost that one machine may become worse by.
 *
 * <p>The temperature falls geometrically with the share of the budget that is spent, from one at which a machine often becomes half as
 * expensive again to one at which little that matters is accepted; both were tried on 1,000 tiers and 200 machines. The authors' program begins at 100,000 and cools by 0.5 % a step; most of its steps
 * accept everything.
 */
public final class Annealing implements Solver {
    private static final double HOTTEST = 0.4;
    private static final double COLDEST = 0.012;
    /** Each step's own logarithm would be most of its time. */
    private static final int STEPS_AT_A_TEMPERATURE = 64;

    private final double hottest;
    private final double coldest;

    public Annealing() {
        this(HOTTEST, COLDEST);
    }

    Annealing(double hottest, double coldest) {
        this.hottest = hottest;
        this.coldest = coldest;
    }

    @Override
    public String name() {
        return "anneal";
    }

    @Override
    public Solution solve(Problem problem, Budget budget, RandomGenerator random) {
        Arrangement arrangement = RoundRobin.deal(problem);
        Neighbourhood neighbourhood = new Neighbourhood(arrangement, random);
        Best best = new Best(arrangement);
        if (neighbourhood.isEmpty()) {
            return best.solution(0, true);
        }
        Budget.Progress progress = budget.start();
        double temperature = hottest;
        while (progress.step()) {
            if (progress.taken() % STEPS_AT_A_TEMPERATURE == 1) {
                temperature = hottest * Math.pow(coldest / hottest, progress.share());
            }
            double change = neighbourhood.step();
            if (Double.isNaN(change)) {
                continue;
            }
            if (neighbourhood.exceedsLess() || (!neighbourhood.exceedsMore() && accepts(change, temperature, random))) {
                best.look();
            } else {
                arrangement.undo();
            }
        }
        return best.solution(progress.taken(), false);
    }

    /** Equation 6.9. */
    private static boolean accepts(double change, double temperature, RandomGenerator random) {
        return change <= 0 || random.nextDouble() < Math.exp(-change / temperature);
    }
}
