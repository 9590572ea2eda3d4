package org.interference.yarn.plan;

import java.util.random.RandomGenerator;

/** Searches for the plan that costs least. Immutable; what it answers depends on its arguments alone. */
public interface Solver {
    /** Returns its name on the command line and over REST. */
    String name();

    /**
     * Returns the best plan that was found within {@code budget}. Its cost is infinite if none was found in which everything fits.
     *
     * @param random where chance comes from; with a budget of steps alone the same seed gives the same plan
     */
    Solution solve(Problem problem, Budget budget, RandomGenerator random);
}
