package org.interference.yarn.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.interference.yarn.degradation.Level;
import org.interference.yarn.degradation.Resource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the thesis publishes (tables 6.2, 6.4 and 6.5), exactly; costs are of its plans by its equations, as its own stand in a drawing alone (Figure 6.2). */
class ThesisTest {
    private static final double EXACT = 1e-12;

    @ParameterizedTest
    @CsvSource({
        "1, 1 2 4, 1.18625, 1.1862",
        "1, 1 3, 1.32425, 1.3243",
        "1, 1 2, 3.1925, 3.1925",
        "2, 1 2 5 6, 1.0, 1.0000",
        "2, 1 2 3, 1.285, 1.2850",
        "2, 1 2 3 4, 3.03125, 3.0312",
    })
    void eachPublishedPlanCostsWhatIsPrinted(int number, String onFirst, double cost, String printed) {
        Problem problem = number == 1 ? Thesis.CASE_1 : Thesis.CASE_2;

        double actual = problem.assess(Thesis.plan(problem, onFirst)).cost();

        assertThat(actual).isCloseTo(cost, within(EXACT));
        assertThat(new BigDecimal(actual).setScale(4, RoundingMode.HALF_EVEN).toPlainString())
                .isEqualTo(printed);
    }

    @ParameterizedTest
    @CsvSource({"1, 1 2 4, 1.18625", "2, 1 2 5 6, 1.0"})
    void thePublishedPlanIsTheOnlyOptimum(int number, String onFirst, double cost) {
        Problem problem = number == 1 ? Thesis.CASE_1 : Thesis.CASE_2;

        List<Plan> best = Thesis.allPlans(problem).stream()
                .filter(plan -> problem.assess(plan).cost() < cost + EXACT)
                .toList();

        assertThat(best.stream().map(ThesisTest::groups).collect(Collectors.toSet()))
                .containsExactly(groups(Thesis.plan(problem, onFirst)));
        assertThat(best).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"1, INTERFERENCE_ONLY, 2", "2, INTERFERENCE_ONLY, 8", "1, AFFINITY_ONLY, 1", "2, AFFINITY_ONLY, 3"})
    void whoLooksAtOneFactorHasTies(int number, Objective objective, int ties) {
        Problem problem = (number == 1 ? Thesis.CASE_1 : Thesis.CASE_2).with(objective);

        Set<String> best = Thesis.allPlans(problem).stream()
                .filter(plan -> Arrangement.of(problem, plan).cost() < 1 + EXACT)
                .map(ThesisTest::groups)
                .collect(Collectors.toSet());

        assertThat(best).hasSize(ties);
    }

    @Test
    void everySearchFindsTheOptimumFromEverySeed() {
        for (Solver solver : List.of(new HillClimb(), new Annealing(), new ExactSearch())) {
            for (int seed = 0; seed < 100; seed++) {
                assertThat(solver.solve(Thesis.CASE_1, Budget.steps(10_000), new SplittableRandom(seed))
                                .cost())
                        .as("case I, %s, seed %d", solver.name(), seed)
                        .isCloseTo(1.18625, within(EXACT));
                assertThat(solver.solve(Thesis.CASE_2, Budget.steps(10_000), new SplittableRandom(seed))
                                .cost())
                        .as("case II, %s, seed %d", solver.name(), seed)
                        .isCloseTo(1.0, within(EXACT));
            }
        }
    }

    @Test
    void theTableIsTheThesiss() {
        assertThat(Level.HIGH.degradation(Resource.DISK)).isEqualTo(2.25);
        assertThat(Level.MODERATE.degradation(Resource.MEMORY)).isEqualTo(1.62);
        assertThat(Level.LOW.degradation(Resource.CPU)).isEqualTo(1.03);
        assertThat(Level.HIGH.degradation(Resource.CACHE)).isEqualTo(1.26);
        assertThat(Level.MODERATE.affinity()).isEqualTo(1.32);
        for (Resource resource : Resource.values()) {
            assertThat(Level.ABSENT.degradation(resource)).isEqualTo(1);
        }
    }

    /** The machines are equal, so their names do not matter. */
    private static String groups(Plan plan) {
        Map<String, Set<String>> byMachine = new TreeMap<>();
        plan.machines()
                .forEach((tier, machines) -> machines.forEach(machine -> byMachine
                        .computeIfAbsent(machine, none -> new TreeSet<>())
                        .add(tier)));
        return byMachine.values().stream().map(Set::toString).sorted().toList().toString();
    }
}
