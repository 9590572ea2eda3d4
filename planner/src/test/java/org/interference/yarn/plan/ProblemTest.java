package org.interference.yarn.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.interference.yarn.degradation.Resource;
import org.junit.jupiter.api.Test;

/** What is refused, and how it is said. */
class ProblemTest {
    private static final Machine MACHINE = Thesis.machine("A", 1);

    @Test
    void whatCannotBePlannedIsOneSentence() {
        refuses(() -> problem(List.of(), List.of(MACHINE)), "There are no tiers to plan");
        refuses(() -> problem(List.of(sized("a", 1)), List.of()), "There are no machines to plan for");
        refuses(
                () -> problem(List.of(sized("a", 0.1), sized("a", 0.2)), List.of(MACHINE)),
                "There are two tiers called 'a'");
        refuses(
                () -> problem(List.of(sized("a", 0.1)), List.of(MACHINE, MACHINE)),
                "There are two machines called 'A'");
        refuses(
                () -> problem(List.of(talking("a", "b", 1.5)), List.of(MACHINE)),
                "Tier 'a' has an affinity to 'b', and there is no such tier");
        refuses(() -> talking("a", "a", 1.5), "Tier 'a' has an affinity to itself");
        refuses(() -> talking("a", "b", 0.5), "The affinity of tier 'a' to 'b' is 0.5 but must be from 1 to 100");
        refuses(
                () -> talking("a", "b", Double.NaN),
                "The affinity of tier 'a' to 'b' is NaN but must be from 1 to 100");
        refuses(
                () -> Degradation.NONE.with(Resource.DISK, 0.9),
                "The degradation of disk is 0.9 but must be from 1 to 100");
        refuses(() -> sized("a", 0), "size of tier 'a' is 0.0 but must be positive");
        refuses(
                () -> problem(List.of(sized("a", 1.5)), List.of(MACHINE)),
                "An instance of tier 'a' (size 1.5) is larger than what every machine has free");
        refuses(
                () -> problem(List.of(sized("a", 0.7), sized("b", 0.7)), List.of(MACHINE)),
                "The tiers need 1.4 of size together, and the machines have 1 free");
        refuses(
                () -> problem(
                        List.of(sized("a", 0.1)),
                        List.of(new Machine("A", Map.of("size", 1.0), List.of(sized("x", 1.1))))),
                "Machine 'A' holds more size already than its 1");
        refuses(
                () -> new Tier("a", Map.of("size", 1.0), Degradation.NONE, Map.of(), 0),
                "Tier 'a' has 0 instances but must have from 1 to 100000");
        refuses(() -> sized("a\nb", 1), "The name of a tier has a control character in it");
    }

    @Test
    void whatDoesNotFitTogetherHasNoPlan() {
        Problem problem = problem(
                List.of(sized("a", 0.6), sized("b", 0.6), sized("c", 0.6)), List.of(MACHINE, Thesis.machine("B", 1)));

        refuses(
                () -> Planner.answer(problem, new ExactSearch(), Budget.steps(10_000), 1, Optional.empty()),
                "There is no plan in which every tier fits");
        refuses(
                () -> Planner.answer(problem, new Annealing(), Budget.steps(10_000), 1, Optional.empty()),
                "No plan was found in which every tier fits, though together they are not too large");
    }

    private static Problem problem(List<Tier> tiers, List<Machine> machines) {
        return Problem.of(tiers, machines, new TableInterference());
    }

    private static Tier sized(String name, double size) {
        return new Tier(name, Map.of("size", size), Degradation.NONE, Map.of(), 1);
    }

    private static Tier talking(String name, String to, double factor) {
        return new Tier(name, Map.of("size", 0.1), Degradation.NONE, Map.of(to, factor), 1);
    }

    private static void refuses(ThrowingCallable what, String sentence) {
        assertThatThrownBy(what).isInstanceOf(PlanException.class).hasMessage(sentence);
        assertThat(sentence).doesNotContain("\n");
    }
}
