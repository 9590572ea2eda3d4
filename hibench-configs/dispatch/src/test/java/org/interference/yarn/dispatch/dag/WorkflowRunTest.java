package org.interference.yarn.dispatch.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.interference.yarn.dispatch.dag.RuleEnd.Outcome;
import org.interference.yarn.dispatch.dag.WorkflowRun.State;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds of every workflow, whichever of its rules fail or are lost, and whenever it is gone on with. */
class WorkflowRunTest {
    static IntStream seeds() {
        return IntStream.range(0, 300);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aRuleStartsWhenAllThatItNeedsIsDoneAndIsLeftOutWhenSomethingOfItFails(int seed) throws WorkflowException {
        Random random = new Random(seed);
        Workflow workflow = workflow(random, 1 + random.nextInt(40), random.nextInt(4));
        WorkflowRun run = new WorkflowRun(workflow);

        Set<Integer> made = live(workflow, run, random, 0.1, Integer.MAX_VALUE);

        assertThat(run.isOver()).isTrue();
        for (Rule rule : workflow.rules()) {
            boolean needsFailed = workflow.waitsFor().get(rule.number()).stream()
                    .map(workflow.rules()::get)
                    .anyMatch(needed -> run.state(needed) != State.DONE);
            assertThat(run.state(rule) == State.LEFT_OUT).isEqualTo(needsFailed);
            assertThat(run.starts(rule) == 0).isEqualTo(needsFailed);
            assertThat(run.state(rule) == State.DONE).isEqualTo(made.contains(rule.number()));
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aRunThatGoesOnStartsWhatIsNotDoneAndNothingElse(int seed) throws WorkflowException {
        Random random = new Random(seed);
        Workflow workflow = workflow(random, 1 + random.nextInt(40), random.nextInt(4));
        WorkflowRun first = new WorkflowRun(workflow);
        Set<Integer> done = live(workflow, first, random, 0.2, random.nextInt(20));
        Set<String> files = files(workflow, done);
        files.removeIf(file -> random.nextInt(10) == 0);

        WorkflowRun second = new WorkflowRun(workflow);
        second.resume(done, files::contains);
        Set<Integer> kept = workflow.rules().stream()
                .filter(rule -> second.state(rule) == State.DONE)
                .map(Rule::number)
                .collect(Collectors.toSet());
        live(workflow, second, random, 0, Integer.MAX_VALUE);

        assertThat(second.count(State.DONE)).isEqualTo(workflow.rules().size());
        for (Rule rule : workflow.rules()) {
            boolean usable = done.contains(rule.number())
                    && files.contains(rule.targets().get(0).name())
                    && kept.containsAll(workflow.waitsFor().get(rule.number()));
            assertThat(kept.contains(rule.number())).isEqualTo(usable);
            assertThat(second.starts(rule) == 0).isEqualTo(usable);
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void anEdgeBackMakesACycleThatIsNamed(int seed) throws WorkflowException {
        Random random = new Random(seed);
        List<Rule> rules =
                new ArrayList<>(workflow(random, 2 + random.nextInt(20), 2).rules());
        int later = 1 + random.nextInt(rules.size() - 1);
        // A chain from an earlier rule to a later one, and back.
        rules.set(later, with(rules.get(later), "t0"));
        rules.set(0, with(rules.get(0), "t" + later));

        assertThatExceptionOfType(WorkflowException.class)
                .isThrownBy(() -> Workflow.of(rules))
                .withMessageStartingWith("is a rule of a cycle, in which each wants what the next one makes: lines ");
    }

    @Test
    void aRuleThatYarnTakesBackBeginsAnewButNotForEver() throws WorkflowException {
        Workflow workflow = Workflow.of(List.of(rule(0), rule(1, "t0"), rule(2)));
        WorkflowRun run = new WorkflowRun(workflow);
        int starts = 0;

        for (List<Rule> next = run.start(); run.state(workflow.rules().get(0)) == State.RUNNING; next = run.start()) {
            starts++;
            Rule lost = next.get(0);
            run.ended(new RuleEnd(lost, Outcome.LOST, "there", "was preempted"));
        }

        assertThat(starts).isEqualTo(WorkflowRun.MOST_STARTS);
        assertThat(run.state(workflow.rules().get(0))).isEqualTo(State.FAILED);
        assertThat(run.state(workflow.rules().get(1))).isEqualTo(State.LEFT_OUT);
        assertThat(run.isOver()).isFalse();
    }

    @Test
    void aSourceThatNoRuleMakesAndThatIsNotThereIsNamedWithItsFirstLine() throws WorkflowException {
        Workflow workflow = Workflow.of(List.of(rule(0, "here"), rule(1, "t0", "gone", "/bin/sh"), rule(2, "gone")));

        assertThatExceptionOfType(WorkflowException.class)
                .isThrownBy(() -> workflow.requireSources("here"::equals, "/folder"))
                .withMessage("wants 'gone', which no rule makes and which is not in /folder")
                .satisfies(e -> assertThat(e.line()).isEqualTo(2));
        workflow.requireSources(file -> true, "/folder");
    }

    /** Ends what runs in any order until nothing can go on, or so many have ended; returns what was done. */
    private static Set<Integer> live(Workflow workflow, WorkflowRun run, Random random, double failing, int mostEnds) {
        List<Rule> running = new ArrayList<>(run.start());
        Set<Integer> done = workflow.rules().stream()
                .filter(rule -> run.state(rule) == State.DONE)
                .map(Rule::number)
                .collect(Collectors.toSet());
        for (int ends = 0; ends < mostEnds && !running.isEmpty(); ends++) {
            Rule rule = running.remove(random.nextInt(running.size()));
            assertThat(done).containsAll(workflow.waitsFor().get(rule.number()));
            double drawn = random.nextDouble();
            Outcome outcome = drawn < failing ? Outcome.FAILED : drawn < 2 * failing ? Outcome.LOST : Outcome.SUCCEEDED;
            run.ended(new RuleEnd(rule, outcome, "there", "something"));
            if (outcome == Outcome.SUCCEEDED) {
                done.add(rule.number());
            }
            running.addAll(run.start());
        }
        return done;
    }

    private static Set<String> files(Workflow workflow, Set<Integer> done) {
        Set<String> files = new HashSet<>();
        done.forEach(number -> workflow.rules().get(number).targets().forEach(target -> files.add(target.name())));
        return files;
    }

    /** Rules of which each wants some of those before it, in an order of numbers that is drawn. */
    private static Workflow workflow(Random random, int rules, int most) throws WorkflowException {
        List<Rule> all = new ArrayList<>();
        for (int number = 0; number < rules; number++) {
            Set<String> sources = new HashSet<>();
            for (int i = 0; number > 0 && i < most; i++) {
                sources.add("t" + random.nextInt(number));
            }
            all.add(rule(number, sources.toArray(String[]::new)));
        }
        return Workflow.of(all);
    }

    private static Rule with(Rule rule, String source) {
        List<String> sources =
                new ArrayList<>(rule.sources().stream().map(FileUse::name).toList());
        sources.add(source);
        return rule(rule.number(), sources.toArray(String[]::new));
    }

    private static Rule rule(int number, String... sources) {
        return new Rule(
                number,
                number + 1,
                "kind",
                new Needs(1, 1),
                false,
                List.of(new FileUse("t" + number, "t" + number)),
                java.util.Arrays.stream(sources)
                        .map(source -> new FileUse(source, source))
                        .toList(),
                "true",
                Map.of());
    }
}
