package org.interference.yarn.plan.timefold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.interference.yarn.plan.Budget;
import org.interference.yarn.plan.Degradation;
import org.interference.yarn.plan.ExactSearch;
import org.interference.yarn.plan.Machine;
import org.interference.yarn.plan.Objective;
import org.interference.yarn.plan.Problem;
import org.interference.yarn.plan.Solution;
import org.interference.yarn.plan.TableInterference;
import org.interference.yarn.plan.Tier;
import org.junit.jupiter.api.Test;

class TimefoldSolverTest {
    private static final Map<String, Double> SIZE = Map.of("size", 0.3);

    /** Two disks, two talkers, two instances of one tier, and a machine that holds something. */
    private static final Problem PROBLEM = Problem.of(
            List.of(
                    new Tier("web", SIZE, new Degradation(1.33, 1, 1, 1), Map.of("db", 1.57), 2),
                    new Tier("db", SIZE, new Degradation(1, 1.62, 2.25, 1), Map.of(), 1),
                    new Tier("log", SIZE, new Degradation(1, 1, 1.82, 1), Map.of("web", 1.05), 1),
                    new Tier("cache", SIZE, new Degradation(1, 1.74, 1, 1.26), Map.of("db", 1.32), 1)),
            List.of(
                    new Machine("A", Map.of("size", 1.0)),
                    new Machine("B", Map.of("size", 1.0)),
                    new Machine(
                            "C",
                            Map.of("size", 1.0),
                            List.of(new Tier("old", SIZE, new Degradation(1, 1, 1.82, 1), Map.of(), 1)))),
            new TableInterference());

    @Test
    void itFindsTheOptimumOfSmallProblems() {
        for (Objective objective : Objective.values()) {
            Problem problem = PROBLEM.with(objective);
            Solution exact = new ExactSearch().solve(problem, Budget.steps(100_000), new SplittableRandom(1));

            Solution found = new TimefoldSolver().solve(problem, Budget.steps(20_000), new SplittableRandom(1));

            assertThat(exact.optimal()).isTrue();
            assertThat(found.cost()).as(objective.name()).isCloseTo(exact.cost(), within(1e-9));
        }
    }

    @Test
    void theSameSeedGivesTheSamePlan() {
        assertThat(new TimefoldSolver().solve(PROBLEM, Budget.steps(500), new SplittableRandom(3)))
                .isEqualTo(new TimefoldSolver().solve(PROBLEM, Budget.steps(500), new SplittableRandom(3)));
    }

    @Test
    void manyMovesOfManyTiersAreNoErrorOfArithmetic() {
        List<Tier> tiers = IntStream.range(0, 60)
                .mapToObj(i -> new Tier(
                        "t" + i,
                        Map.of("size", 0.15),
                        new Degradation(1.15 + i % 7 / 50.0, 1.62, 1 + i % 3 / 3.0, 1.26),
                        Map.of("t" + (i + 1) % 60, 1.05 + i % 5 / 10.0),
                        1))
                .toList();
        List<Machine> machines = IntStream.range(0, 12)
                .mapToObj(i -> new Machine("m" + i, Map.of("size", 1.0)))
                .toList();
        Problem problem = Problem.of(tiers, machines, new TableInterference());

        Solution found = new TimefoldSolver().solve(problem, Budget.steps(100_000), new SplittableRandom(1));

        assertThat(found.cost()).isCloseTo(problem.assess(found.plan()).cost(), within(1e-9));
    }
}
