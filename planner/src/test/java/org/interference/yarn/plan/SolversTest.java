package org.interference.yarn.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.interference.yarn.degradation.Level;
import org.interference.yarn.degradation.Resource;
import org.junit.jupiter.api.Test;

/** What every solver owes, and what the model is for. */
class SolversTest {
    private static final double CLOSE = 1e-9;
    private static final int MOST_ENUMERATED = 3_000;
    private static final List<Solver> ALL =
            List.of(new RoundRobin(), new HillClimb(), new Annealing(), new ExactSearch());

    @Test
    void exactSearchFindsWhatEnumerationFinds() {
        int proven = 0;
        for (long seed = 0; seed < 150; seed++) {
            Problem problem = RandomProblems.of(seed);
            if (Math.pow(problem.machines().size(), problem.instances()) > MOST_ENUMERATED) {
                continue;
            }
            for (Objective objective : Objective.values()) {
                Problem asked = problem.with(objective);
                double least = Thesis.allPlans(asked).stream()
                        .mapToDouble(plan -> Arrangement.of(asked, plan).cost())
                        .min()
                        .orElseThrow();

                Solution solution = new ExactSearch().solve(asked, Budget.steps(1_000_000), new SplittableRandom(1));

                assertThat(solution.optimal()).isTrue();
                if (Double.isFinite(least)) {
                    proven++;
                    assertThat(solution.cost()).as("seed %d", seed).isCloseTo(least, within(CLOSE));
                } else {
                    assertThat(solution.cost()).isInfinite();
                }
            }
        }
        assertThat(proven).isGreaterThan(150);
    }

    /** Of what has come and gone rounding leaves something, and a machine without that amount has no room for it. */
    @Test
    void whatRoundingLeavesIsNoLoad() {
        Problem problem = Problem.of(
                List.of(
                        new Tier("a", Map.of("mem", 0.3, "gpu", 0.1), Degradation.NONE, Map.of(), 1),
                        new Tier("b", Map.of("mem", 0.3, "gpu", 0.2), Degradation.NONE, Map.of(), 1)),
                List.of(new Machine("n1", Map.of("mem", 1.0, "gpu", 1.0)), new Machine("n2", Map.of("mem", 1.0))),
                new TableInterference());
        for (Solver solver : ALL) {
            Solution solution = solver.solve(problem, Budget.steps(30_000), new SplittableRandom(1));

            assertThat(solution.cost()).as(solver.name()).isEqualTo(1);
        }
    }

    /** 6.56 to the power of 400 is no double. */
    @Test
    void manyInstancesOnOneMachineHaveACost() {
        Degradation much = Degradation.NONE;
        for (Resource resource : Resource.values()) {
            much = much.with(resource, Level.HIGH.degradation(resource));
        }
        Problem problem = Problem.of(
                List.of(new Tier("a", Map.of("mem", 0.001), much, Map.of(), 400)),
                List.of(new Machine("n1", Map.of("mem", 1.0)), new Machine("n2", Map.of("mem", 1.0))),
                new TableInterference());
        for (Solver solver : List.of(new RoundRobin(), new HillClimb(), new Annealing())) {
            Solution solution = solver.solve(problem, Budget.steps(2_000), new SplittableRandom(1));

            assertThat(solution.cost()).as(solver.name()).isFinite();
        }
    }

    @Test
    void whatASolverSaysItCostsItCosts() {
        for (long seed = 0; seed < 50; seed++) {
            Problem problem = RandomProblems.of(seed);
            for (Solver solver : ALL) {
                Solution solution = solver.solve(problem, Budget.steps(3_000), new SplittableRandom(seed));
                double cost = problem.assess(solution.plan()).cost();
                if (Double.isFinite(cost)) {
                    assertThat(solution.cost()).isCloseTo(cost, within(CLOSE));
                } else {
                    assertThat(solution.cost()).isInfinite();
                }
            }
        }
    }

    @Test
    void theSameSeedGivesTheSamePlan() {
        Problem problem = RandomProblems.of(7);
        for (Solver solver : ALL) {
            assertThat(solver.solve(problem, Budget.steps(2_000), new SplittableRandom(5)))
                    .isEqualTo(solver.solve(problem, Budget.steps(2_000), new SplittableRandom(5)));
        }
    }

    @Test
    void aDeadlineIsKept() {
        for (Solver solver : List.of(new HillClimb(), new Annealing(), new ExactSearch())) {
            AtomicLong now = new AtomicLong();
            Budget budget = Budget.time(() -> now.addAndGet(1_000_000), Duration.ofMillis(20));

            solver.solve(manyTiers(60, 12), budget, new SplittableRandom(1));

            // Exact search may spend the time of its first plan as well.
            assertThat(now.get()).as(solver.name()).isLessThanOrEqualTo(50_000_000);
        }
    }

    @Test
    void roundRobinDealsTheLargestFirst() {
        List<Tier> tiers = List.of(sized("small", 0.2), sized("large", 0.6), sized("middle", 0.5));
        Problem problem =
                Problem.of(tiers, List.of(Thesis.machine("A", 1), Thesis.machine("B", 1)), new TableInterference());

        assertThat(new RoundRobin()
                        .solve(problem, Budget.steps(1), new SplittableRandom(1))
                        .plan()
                        .machines())
                .isEqualTo(Map.of("large", List.of("A"), "middle", List.of("B"), "small", List.of("A")));
    }

    @Test
    void aSearchRepairsWhatDealingInTurnCannotPack() {
        List<Tier> tiers = List.of(sized("a", 0.6), sized("b", 0.5), sized("c", 0.5), sized("d", 0.4));
        Problem problem =
                Problem.of(tiers, List.of(Thesis.machine("A", 1), Thesis.machine("B", 1)), new TableInterference());

        for (Solver solver : List.of(new HillClimb(), new Annealing(), new ExactSearch())) {
            assertThat(solver.solve(problem, Budget.steps(5_000), new SplittableRandom(1))
                            .cost())
                    .as(solver.name())
                    .isEqualTo(1);
        }
    }

    private static Tier sized(String name, double size) {
        return new Tier(name, Map.of("size", size), Degradation.NONE, Map.of(), 1);
    }

    @Test
    void annealingIsFarBetterThanDealingInTurn() {
        Problem problem = manyTiers(100, 20);

        double dealt = RoundRobin.deal(problem).cost();
        double annealed = new Annealing()
                .solve(problem, Budget.steps(200_000), new SplittableRandom(1))
                .cost();

        assertThat(annealed).isLessThan(0.5 * dealt);
    }

    /** Rings of five tiers that talk to the next, and use one resource after another. */
    private static Problem manyTiers(int tiers, int machines) {
        List<Tier> all = new ArrayList<>();
        for (int i = 0; i < tiers; i++) {
            Resource resource = List.of(Resource.values()).get(i % 4);
            int ring = i / 5 * 5;
            all.add(Thesis.tier(
                    "t" + i,
                    0.15,
                    resource,
                    Level.MODERATE.degradation(resource),
                    Map.of("t" + (ring + (i + 1) % 5), 1.32)));
        }
        return Problem.of(
                all,
                IntStream.range(0, machines)
                        .mapToObj(i -> Thesis.machine("m" + i, 1))
                        .toList(),
                new TableInterference());
    }

    // The rules of the thesis's section 4.4.1.

    @Test
    void rule1TiersThatUseTheSameResourceArePlacedApart() {
        assertThat(apart(plan(tier("a", Resource.MEMORY, 1.62), tier("b", Resource.MEMORY, 1.62)), "a", "b"))
                .isTrue();
    }

    @Test
    void rule2DiskIsKeptApartRatherThanCpu() {
        Plan plan = plan(
                tier("c1", Resource.CPU, 1.33),
                tier("c2", Resource.CPU, 1.33),
                tier("c3", Resource.CPU, 1.33),
                tier("d1", Resource.DISK, 2.25),
                tier("d2", Resource.DISK, 2.25));

        assertThat(apart(plan, "d1", "d2")).isTrue();
        assertThat(apart(plan, "c1", "c2") && apart(plan, "c2", "c3") && apart(plan, "c1", "c3"))
                .isFalse();
    }

    @Test
    void rule3TalkativeTiersArePlacedTogether() {
        Plan plan = plan(
                Thesis.tier("a", 0.3, Resource.CPU, 1.15, Map.of("b", 1.32)),
                tier("b", Resource.DISK, 1.82),
                tier("c", Resource.MEMORY, 1.62));

        assertThat(apart(plan, "a", "b")).isFalse();
    }

    @Test
    void rule4aCpuTiersWithAffinityAreTogether() {
        Plan plan = plan(Thesis.tier("a", 0.3, Resource.CPU, 1.15, Map.of("b", 1.57)), tier("b", Resource.CPU, 1.15));

        assertThat(apart(plan, "a", "b")).isFalse();
    }

    @Test
    void rule4bDiskTiersAreApartEvenWithAffinity() {
        Plan plan = plan(Thesis.tier("a", 0.3, Resource.DISK, 2.25, Map.of("b", 1.57)), tier("b", Resource.DISK, 2.25));

        assertThat(apart(plan, "a", "b")).isTrue();
    }

    private static Tier tier(String name, Resource resource, double factor) {
        return Thesis.tier(name, 0.3, resource, factor, Map.of());
    }

    private static Plan plan(Tier... tiers) {
        Problem problem = Problem.of(
                List.of(tiers), List.of(Thesis.machine("A", 1), Thesis.machine("B", 1)), new TableInterference());
        return Planner.answer(problem, new ExactSearch(), Budget.steps(100_000), 1, Optional.empty())
                .plan()
                .plan();
    }

    private static boolean apart(Plan plan, String one, String other) {
        return !plan.machines().get(one).equals(plan.machines().get(other));
    }
}
