package org.interference.yarn.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.interference.yarn.degradation.Resource;
import org.junit.jupiter.api.Test;

class ArrangementTest {
    private static final double CLOSE = 1e-9;

    @Test
    void whatIsKeptUpIsWhatIsWorkedOutAnew() {
        for (long seed = 0; seed < 300; seed++) {
            Problem problem = RandomProblems.of(seed);
            SplittableRandom random = new SplittableRandom(seed);
            Arrangement arrangement = RoundRobin.deal(problem);
            Neighbourhood neighbourhood = new Neighbourhood(arrangement, random);
            for (int step = 0; step < 100 && !neighbourhood.isEmpty(); step++) {
                double before = arrangement.sum();
                double change = neighbourhood.step();
                if (Double.isNaN(change)) {
                    continue;
                }
                assertThat(arrangement.sum()).isCloseTo(before + change, within(CLOSE));
                if (random.nextBoolean()) {
                    arrangement.undo();
                    assertThat(arrangement.sum()).isEqualTo(before);
                }
                Arrangement anew = Arrangement.of(problem, arrangement.plan());
                assertThat(arrangement.sum()).as("seed %d", seed).isCloseTo(anew.sum(), within(CLOSE));
                assertThat(arrangement.excess()).isCloseTo(anew.excess(), within(CLOSE));
            }
        }
    }

    @Test
    void placedOneByOneItCostsTheSame() {
        for (long seed = 0; seed < 100; seed++) {
            Problem problem = RandomProblems.of(seed);
            SplittableRandom random = new SplittableRandom(seed);
            Arrangement arrangement = new Arrangement(problem);
            for (int instance = 0; instance < problem.instances(); instance++) {
                arrangement.place(instance, random.nextInt(problem.machines().size()));
                arrangement.sum();
                if (random.nextBoolean()) {
                    arrangement.remove(instance);
                    arrangement.place(
                            instance, random.nextInt(problem.machines().size()));
                }
            }

            Arrangement anew = Arrangement.of(problem, arrangement.plan());

            assertThat(arrangement.sum()).isCloseTo(anew.sum(), within(CLOSE));
        }
    }

    @Test
    void aMachinesTermsMultiplyToItsFactors() {
        for (long seed = 0; seed < 100; seed++) {
            Problem problem = RandomProblems.of(seed);
            Assessment assessment = problem.assess(RoundRobin.deal(problem).plan());
            double sum = 0;
            for (Assessment.MachineCost machine : assessment.machines()) {
                assertThat(product(machine.interferenceTerms())).isCloseTo(machine.interference(), within(CLOSE));
                assertThat(product(machine.affinityTerms())).isCloseTo(machine.affinity(), within(CLOSE));
                assertThat(machine.residents().stream()
                                .mapToDouble(Assessment.Resident::affinity)
                                .reduce(1, (a, b) -> a * b))
                        .isCloseTo(machine.affinity(), within(CLOSE));
                sum += machine.interference() * machine.affinity() * machine.capacityFactor();
            }
            if (Double.isFinite(assessment.cost())) {
                assertThat(assessment.cost()).isCloseTo(sum / problem.machines().size(), within(CLOSE));
            }
        }
    }

    @Test
    void aTierSuffersFromItsNeighboursAndNotFromItself() {
        Tier first = Thesis.tier("a", 0.3, Resource.CPU, 1.15, Map.of());
        Tier second = Thesis.tier("b", 0.3, Resource.CPU, 1.33, Map.of());
        Tier third = Thesis.tier("c", 0.3, Resource.DISK, 2.25, Map.of());
        TableInterference table = new TableInterference();
        List<Tier> together = List.of(first, second, third);

        assertThat(table.slowdown(together, 0)).isEqualTo(1.33);
        assertThat(table.slowdown(together, 1)).isEqualTo(1.15);
        assertThat(table.slowdown(together, 2)).isEqualTo(1);
        assertThat(table.factor(together)).isCloseTo(1.15 * 1.33, within(CLOSE));
    }

    @Test
    void oneInstanceOfATalkativeTiersPartnerIsEnough() {
        Tier web = new Tier("web", Map.of("size", 0.1), Degradation.NONE, Map.of("db", 1.5), 3);
        Tier database = new Tier("db", Map.of("size", 0.1), Degradation.NONE, Map.of(), 2);
        Problem problem = Problem.of(
                List.of(web, database),
                List.of(Thesis.machine("A", 1), Thesis.machine("B", 1)),
                new TableInterference());

        assertThat(problem.assess(plan("A A B", "A A")).cost()).isEqualTo((1 + 1.5) / 2);
        assertThat(problem.assess(plan("A A B", "A B")).cost()).isEqualTo(1);
        assertThat(problem.assess(plan("B B B", "A A")).cost()).isCloseTo((1 + 1.5 * 1.5 * 1.5) / 2, within(CLOSE));
    }

    private static Plan plan(String web, String database) {
        return new Plan(Map.of("web", List.of(web.split(" ")), "db", List.of(database.split(" "))));
    }

    @Test
    void anOccupantTakesRoomAndDisturbsAndIsTalkedTo() {
        Tier web =
                new Tier("web", Map.of("size", 0.5), Degradation.NONE.with(Resource.DISK, 1.5), Map.of("db", 1.5), 1);
        Tier database = new Tier("db", Map.of("size", 0.5), Degradation.NONE.with(Resource.DISK, 2), Map.of(), 1);
        Machine full = new Machine("A", Map.of("size", 0.9), List.of(database));
        Machine roomy = new Machine("B", Map.of("size", 1.0), List.of(database));
        Problem problem =
                Problem.of(List.of(web), List.of(full, roomy, Thesis.machine("C", 1)), new TableInterference());

        assertThat(cost(problem, "A")).isInfinite();
        assertThat(cost(problem, "B")).isCloseTo((1 + 3 + 1) / 3.0, within(CLOSE));
        assertThat(cost(problem, "C")).isCloseTo((1 + 1 + 1.5) / 3.0, within(CLOSE));
        assertThat(problem.assess(new Plan(Map.of("web", List.of("B"))))
                        .machines()
                        .get(1)
                        .residents())
                .containsExactlyInAnyOrder(
                        new Assessment.Resident("db", 1.5, 1, true), new Assessment.Resident("web", 2, 1, false));
    }

    private static double cost(Problem problem, String machine) {
        return problem.assess(new Plan(Map.of("web", List.of(machine)))).cost();
    }

    @Test
    void eachAmountIsALimit() {
        Tier tier = new Tier("t", Map.of("memory", 2.0, "cores", 1.0), Degradation.NONE, Map.of(), 3);
        Problem problem = Problem.of(
                List.of(tier),
                List.of(
                        new Machine("few-cores", Map.of("memory", 8.0, "cores", 1.0)),
                        new Machine("small", Map.of("memory", 4.0, "cores", 8.0))),
                new TableInterference());

        assertThat(problem.assess(new Plan(Map.of("t", List.of("few-cores", "small", "small"))))
                        .cost())
                .isEqualTo(1);
        assertThat(problem.assess(new Plan(Map.of("t", List.of("few-cores", "few-cores", "small"))))
                        .cost())
                .isInfinite();
        assertThat(problem.assess(new Plan(Map.of("t", List.of("small", "small", "small"))))
                        .cost())
                .isInfinite();
    }

    @Test
    void whatFillsAMachineToTheBrimFits() {
        Tier tier = new Tier("t", Map.of("size", 0.1), Degradation.NONE, Map.of(), 10);
        Problem problem = Problem.of(List.of(tier), List.of(Thesis.machine("A", 1)), new TableInterference());

        assertThat(new Annealing()
                        .solve(problem, Budget.steps(10), new SplittableRandom(1))
                        .cost())
                .isEqualTo(1);
    }

    @Test
    void aPlanForAnotherProblemIsRefused() {
        assertThatThrownBy(() -> Thesis.CASE_1.assess(new Plan(Map.of("#1", List.of("A")))))
                .isInstanceOf(PlanException.class)
                .hasMessage("Tier '#2' has 1 instances, and the plan names 0 machines for it");
    }

    private static double product(List<Term> terms) {
        return terms.stream().mapToDouble(Term::factor).reduce(1, (a, b) -> a * b);
    }
}
