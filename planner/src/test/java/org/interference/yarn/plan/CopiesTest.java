package org.interference.yarn.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.interference.yarn.degradation.Level;
import org.interference.yarn.degradation.Resource;
import org.junit.jupiter.api.Test;

/** The CPU that moving data costs: what must hold of it whatever the problem, and what it does to the thesis's cases. */
class CopiesTest {
    private static final double CLOSE = 1e-9;
    private static final int SEEDS = 300;
    /** As on the hosts of the test bed: docs/testbed.md. */
    private static final Copies BED = new Copies(1.05, 1.014, 1.003);

    @Test
    void withoutCostEveryPlanCostsWhatTheThesisSays() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Problem problem = RandomProblems.of(seed);
            Plan plan = RoundRobin.deal(problem).plan();

            assertThat(with(problem, Copies.NONE).assess(plan).cost())
                    .isEqualTo(problem.assess(plan).cost());
        }
    }

    @Test
    void noPlanCostsLessBecauseCopiesCostMore() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Problem problem = RandomProblems.of(seed);
            Plan plan = RoundRobin.deal(problem).plan();
            SplittableRandom random = new SplittableRandom(seed);
            Copies less = new Copies(random.nextDouble(1, 1.5), random.nextDouble(1, 1.5), random.nextDouble(1, 1.5));
            Copies more = new Copies(less.memory() + 0.1, less.network() + 0.1, less.loopback() + 0.1);

            assertThat(with(problem, less).assess(plan).cost())
                    .isGreaterThanOrEqualTo(problem.assess(plan).cost() - CLOSE);
            assertThat(with(problem, more).assess(plan).cost())
                    .isGreaterThanOrEqualTo(with(problem, less).assess(plan).cost() - CLOSE);
        }
    }

    @Test
    void termsMultiplyToTheFactorAndMovesAreWorkedOutAsAnew() {
        for (long seed = 0; seed < SEEDS; seed++) {
            Problem problem = with(RandomProblems.of(seed), new Copies(1.2, 1.3, 1.1));
            Arrangement arrangement = RoundRobin.deal(problem);
            SplittableRandom random = new SplittableRandom(seed);
            Neighbourhood neighbourhood = new Neighbourhood(arrangement, random);
            for (int step = 0; step < 20 && !neighbourhood.isEmpty(); step++) {
                neighbourhood.step();
            }

            assertThat(arrangement.sum())
                    .isCloseTo(Arrangement.of(problem, arrangement.plan()).sum(), within(CLOSE));
            for (Assessment.MachineCost machine :
                    problem.assess(arrangement.plan()).machines()) {
                assertThat(machine.interferenceTerms().stream()
                                .mapToDouble(Term::factor)
                                .reduce(1, (a, b) -> a * b))
                        .isCloseTo(machine.interference(), within(CLOSE));
                assertThat(machine.residents()).allMatch(resident -> resident.slowdown() >= 1);
            }
        }
    }

    @Test
    void exactSearchFindsTheBestOfAllPlansThoughAPartnerMayMakeAMachineBetter() {
        for (long seed = 0; seed < 60; seed++) {
            Problem drawn = RandomProblems.of(seed);
            if (Math.pow(drawn.machines().size(), drawn.instances()) > 1000) {
                continue;
            }
            Problem problem = with(drawn, new Copies(1.2, 1.5, 1.1));
            double best = Thesis.allPlans(problem).stream()
                    .mapToDouble(plan -> problem.assess(plan).cost())
                    .min()
                    .orElseThrow();

            assertThat(new ExactSearch()
                            .solve(problem, Budget.steps(1_000_000), new SplittableRandom(seed))
                            .cost())
                    .as("seed %d", seed)
                    .isCloseTo(best, within(CLOSE));
        }
    }

    @Test
    void eitherEndOfAnAffinityTakesCpuWhicheverSaysIt() {
        Tier web = Thesis.tier("web", 0.3, Resource.CPU, 1.15, Map.of("db", Level.HIGH.affinity()));
        Tier db = Thesis.tier("db", 0.3, Resource.DISK, 2.25, Map.of());
        Tier other = Thesis.tier("other", 0.3, Resource.CPU, 1.33, Map.of());
        Interference interference =
                new CopyingInterference(new TableInterference(), new Copies(1, 1.2, 1.1), List.of(web, db, other));

        assertThat(interference.factor(List.of(web, db))).as("on one machine").isCloseTo(1.1 * 1.1, within(CLOSE));
        assertThat(interference.factor(List.of(db))).as("its partner is away").isCloseTo(1.2, within(CLOSE));
        assertThat(interference.slowdown(List.of(db, other), 1))
                .as("who copies takes CPU from who computes")
                .isEqualTo(1.2);
        assertThat(interference.slowdown(List.of(db, other), 0))
                .as("its own copies delay who uses a disk")
                .isEqualTo(1.2);
        assertThat(interference.terms(List.of(db, other)))
                .containsExactly(new Term("cpu for talk", 1.2, List.of("db")));
    }

    @Test
    void whoMovesMemoryUsesTheCpuUnlessItSaysMoreItself() {
        Copies copies = new Copies(1.2, 1, 1);
        Tier high = Thesis.tier("a", 0.3, Resource.MEMORY, Level.HIGH.degradation(Resource.MEMORY), Map.of());
        Tier half = Thesis.tier("b", 0.3, Resource.CACHE, 1.13, Map.of());
        Tier disk = Thesis.tier("c", 0.3, Resource.DISK, 2.25, Map.of());

        assertThat(copies.applied(high).degradation().cpu()).isCloseTo(1.2, within(CLOSE));
        assertThat(copies.applied(half).degradation().cpu()).isCloseTo(1.1, within(CLOSE));
        assertThat(copies.applied(disk)).isSameAs(disk);
        Tier busy = new Tier("d", high.size(), high.degradation().with(Resource.CPU, 1.33), Map.of(), 1);
        assertThat(copies.applied(busy)).as("what it says has its copies in it").isSameAs(busy);
        assertThatThrownBy(() -> new Copies(0.9, 1, 1)).isInstanceOf(PlanException.class);
    }

    /** On the test bed the cache slows down nobody clearly, and computing and copying share one CPU. */
    @Test
    void inCase2WhoCopiesMemoryGoesToTheOtherMachineThanWhoComputes() {
        assertThat(best(with(Thesis.CASE_2, BED)))
                .as("as the thesis, where caches are as it says")
                .containsExactly("#1", "#2", "#5", "#6");

        assertThat(best(with(withCache(Thesis.CASE_2, 1.103), BED))).containsExactly("#1", "#2");
        assertThat(best(withCache(Thesis.CASE_2, 1.103)))
                .as("without the CPU of copies")
                .containsExactly("#1", "#2", "#5", "#6");
        assertThat(best(with(Thesis.CASE_1, BED))).containsExactly("#1", "#2", "#4");
    }

    private static Problem withCache(Problem problem, double factor) {
        List<Tier> tiers = problem.tiers().stream()
                .map(tier -> tier.degradation().cache() > 1
                        ? new Tier(
                                tier.name(),
                                tier.size(),
                                tier.degradation().with(Resource.CACHE, factor),
                                tier.affinities(),
                                1)
                        : tier)
                .toList();
        return Problem.of(tiers, problem.machines(), problem.interference());
    }

    /** Returns what the cheapest plan has on the machine of the first tier. */
    private static List<String> best(Problem problem) {
        Plan best = Thesis.allPlans(problem).stream()
                .min(Comparator.comparingDouble(plan -> problem.assess(plan).cost()))
                .orElseThrow();
        String first = best.machines().get("#1").get(0);
        return best.machines().keySet().stream()
                .filter(tier -> best.machines().get(tier).get(0).equals(first))
                .sorted()
                .toList();
    }

    private static Problem with(Problem problem, Copies copies) {
        List<Tier> tiers = problem.tiers().stream().map(copies::applied).toList();
        List<Machine> machines = problem.machines().stream()
                .map(machine -> new Machine(
                        machine.name(),
                        machine.capacity(),
                        machine.occupants().stream().map(copies::applied).toList()))
                .toList();
        List<Tier> all = new ArrayList<>(tiers);
        machines.forEach(machine -> all.addAll(machine.occupants()));
        return Problem.of(tiers, machines, new CopyingInterference(problem.interference(), copies, all));
    }
}
