package org.interference.yarn.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.interference.yarn.dispatch.dag.Makeflow;
import org.interference.yarn.dispatch.dag.Rule;
import org.interference.yarn.dispatch.dag.RuleRunner;
import org.interference.yarn.dispatch.dag.Workflow;
import org.interference.yarn.dispatch.dag.WorkflowException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole runs of workflows, with real processes on this machine in the place of containers. */
class WorkflowDispatchTest {
    private static final String SORT = """
            CATEGORY=split
            left right: words
            \thead -n 2 words > left && tail -n +3 words > right
            CATEGORY=sort
            left.sorted: left
            \tsort left > left.sorted
            right.sorted: right
            \tsort right > right.sorted
            CATEGORY=merge
            sorted: left.sorted right.sorted
            \tsort -m left.sorted right.sorted > sorted
            count: words
            \twc -l < words > count
            """;

    @TempDir
    private Path directory;

    private Path folder;
    private final List<Integer> started = new ArrayList<>();

    @BeforeEach
    void makeTheFolder() throws IOException {
        folder = Files.createDirectory(directory.resolve("folder"));
        Files.writeString(folder.resolve("words"), "d\nb\nc\na\n");
    }

    @Test
    void rulesRunInTheOrderOfTheirFilesAndTheLastTargetIsMade() throws Exception {
        WorkflowResult result = run(SORT, -1);

        assertThat(result.isSuccess()).as(result.json()).isTrue();
        assertThat(folder.resolve("sorted")).hasContent("a\nb\nc\nd");
        assertThat(started).hasSize(5);
        assertThat(started.indexOf(3)).isGreaterThan(started.indexOf(1)).isGreaterThan(started.indexOf(2));
        JsonNode json = new ObjectMapper().readTree(result.json());
        assertThat(json.path("complete").asBoolean()).isTrue();
        assertThat(json.path("states").path("DONE").asInt()).isEqualTo(5);
        assertThat(result.tsv().lines()).hasSize(6);
        assertThat(Result.statusOf(result.json())).contains(0);
    }

    @Test
    void whatNeedsAFailedRuleIsLeftOutAndTheOthersGoOnAndTheSameRunGoesOnOnceItIsRepaired() throws Exception {
        String broken = SORT.replace("sort right", "cat repair && sort right");

        WorkflowResult first = run(broken, -1);

        assertThat(first.isComplete()).isTrue();
        assertThat(first.isSuccess()).isFalse();
        assertThat(first.summary()).startsWith("3 DONE, 1 FAILED, 1 LEFT_OUT");
        assertThat(Result.statusOf(first.json())).contains(1);
        assertThat(folder.resolve("count")).hasContent("4");

        started.clear();
        Files.writeString(folder.resolve("repair"), "");
        WorkflowResult second = run(broken, -1);

        assertThat(second.isSuccess()).isTrue();
        assertThat(started).containsExactly(2, 3);
    }

    @Test
    void anInterruptedRunGoesOnWithWhatIsNotDoneOrHasLostItsTargets() throws Exception {
        WorkflowResult first = run(SORT, 3);

        assertThat(first.isComplete()).isFalse();
        assertThat(Result.statusOf(first.json())).isEmpty();

        run(SORT, -1);
        started.clear();
        Files.delete(folder.resolve("left"));
        WorkflowResult third = run(SORT, -1);

        assertThat(third.isSuccess()).isTrue();
        assertThat(started).contains(0, 1, 2, 3).doesNotContain(4);
    }

    @Test
    void damagedFilesAreReadOrRefusedInOneSentence() {
        Fuzz.parse(SORT.replace("wc -l", "wc '-l' \"$A\" \\$B"), 20_000, lines -> {
            try {
                Makeflow.of(lines, "unnamed", name -> Optional.empty());
            } catch (WorkflowException e) {
                throw InputException.at("file", e.line(), e.getMessage());
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"Blast.makeflow,blast", "Makeflow,makeflow", "my flow,my-flow", "___,workflow", "a.b.mf,a.b"})
    void rulesWithoutACategoryAreOfTheFilesKind(String file, String kind) {
        assertThat(WorkflowCommand.kind(Path.of("dir", file))).isEqualTo(kind);
    }

    /** Runs until all is over, or so many rules have ended. */
    private WorkflowResult run(String text, int ends) throws Exception {
        Workflow workflow = Makeflow.of(text.lines().toList(), "unnamed", name -> Optional.empty());
        try (RunDirectory run = RunDirectory.open(directory.resolve("run"))) {
            run.keep(workflow.text());
            List<RunJournal.Entry> before = RunJournal.read(run.journal());
            try (RunJournal journal = RunJournal.open(run.journal())) {
                WorkflowDispatch dispatch = new WorkflowDispatch(
                        run.id(),
                        workflow,
                        journal,
                        new WallClock(),
                        new PlainScreen(new java.io.PrintWriter(java.io.Writer.nullWriter())));
                dispatch.resume(before, name -> Files.exists(folder.resolve(name)));
                AtomicReference<Integer> left = new AtomicReference<>(ends);
                LocalRules processes = new LocalRules(folder, rule -> run.log("" + rule), 2, end -> {
                    dispatch.ended(end);
                    if (left.updateAndGet(count -> count - 1) == 0) {
                        dispatch.stop();
                    }
                });
                return dispatch.run(remembering(processes), processes);
            }
        }
    }

    private RuleRunner remembering(RuleRunner processes) {
        return new RuleRunner() {
            @Override
            public void start(Rule rule) {
                started.add(rule.number());
                processes.start(rule);
            }

            @Override
            public void close(boolean complete) {
                processes.close(complete);
            }
        };
    }
}
