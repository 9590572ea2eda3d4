package org.interference.yarn.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole runs in virtual time, with YARN as a web server. */
class RunTest {
    @TempDir
    private Path directory;

    private FakeYarn yarn;
    private final VirtualTime time = new VirtualTime();

    @BeforeEach
    void startYarn() throws IOException {
        yarn = FakeYarn.start();
    }

    @AfterEach
    void stopYarn() {
        yarn.close();
    }

    @Test
    void everyJobIsSubmittedAtItsTimeWithItsTagsAndFollowedToItsEnd() throws Exception {
        List<Long> times = new ArrayList<>();

        Result result = run(4, order -> {
            times.add(time.millis());
            submit(order, "SUCCEEDED");
        });

        assertThat(result.isSuccess()).isTrue();
        assertThat(times).containsExactly(0L, 0L, 5000L, 5000L);
        assertThat(yarn.submitted())
                .contains("ifc:job0,run=run,inst=%d".formatted(instanceOf("job0")))
                .hasSize(4)
                .doesNotHaveDuplicates();
        JsonNode json = new ObjectMapper().readTree(result.json());
        assertThat(json.path("makespanSeconds").asDouble()).isEqualTo(10);
        // Four jobs of 20 vcore-seconds, on 10 vcores for 10 s.
        assertThat(json.path("density").asDouble()).isEqualTo(0.8);
        assertThat(json.path("jobs").path(3).path("nodes").path(0).asText()).startsWith("node-of-application");
        assertThat(result.tsv().lines()).hasSize(5);
    }

    /** As after its folder was removed, or in another folder: both would be taken for one. */
    @Test
    void aSecondRunOfTheSameNameIsRefused() throws Exception {
        Dispatcher.requireOwnName(yarn.rest(), "run");
        yarn.submit(List.of("ifc:job", "run=run", "inst=0"), "SUCCEEDED", 0);

        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> Dispatcher.requireOwnName(yarn.rest(), "run"))
                .withMessageContainingAll("application_1_0001", "another last name");
    }

    @Test
    void whatFailsIsReportedAndNeverDropped() throws Exception {
        Result result = run(4, order -> {
            switch (order.submission().instance()) {
                case 0 -> submit(order, "FAILED");
                case 1 -> submit(order, "KILLED");
                case 2 -> {
                    submit(order, "SUCCEEDED");
                    throw new IllegalStateException("the second step was not submitted");
                }
                default -> throw new IllegalStateException("no such class");
            }
        });

        JsonNode json = new ObjectMapper().readTree(result.json());
        assertThat(result.isSuccess()).isFalse();
        assertThat(result.interrupted()).isFalse();
        assertThat(json.path("failed")).hasSize(4);
        assertThat(json.path("jobs").findValuesAsText("state"))
                .containsExactly("FAILED", "KILLED", "CLIENT_FAILED", "NO_APPLICATION");
        assertThat(json.path("jobs").path(0).path("diagnostics").asText()).isEqualTo("it broke");
        assertThat(json.path("jobs").path(3).path("diagnostics").asText()).isEqualTo("no such class");
        assertThat(Result.statusOf(result.json())).contains(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void anInterruptedRunGoesOnWithoutSubmittingAnythingTwice(int before) throws Exception {
        Result first = stopAfter(before, 5);

        assertThat(first.interrupted()).isEqualTo(before < 5);

        Result second = run(5, order -> submit(order, "SUCCEEDED"));

        assertThat(second.isSuccess()).isTrue();
        assertThat(yarn.submitted()).hasSize(5).doesNotHaveDuplicates();
    }

    @Test
    void whatEndedBeforeTheInterruptionIsKnownThoughYarnHasForgottenIt() throws Exception {
        Result whole = run(3, order -> submit(order, "SUCCEEDED"));
        yarn.forgetAll();

        Result again = run(3, order -> {
            throw new IllegalStateException("was submitted before");
        });

        assertThat(again.states()).isEqualTo(whole.states());
        assertThat(again.makespanSeconds()).isEqualTo(whole.makespanSeconds());
        assertThat(again.tsv()).isEqualTo(whole.tsv()).contains("node-of-application");
    }

    @Test
    void aJobThatWasWrittenDownAndNeverSubmittedIsSubmitted() throws Exception {
        stopAfter(1, 3);
        Files.writeString(
                directory.resolve("run/journal.jsonl"),
                "{\"event\":\"SUBMITTING\",\"millis\":1,\"instance\":1}\n{\"event\":\"SUBMI",
                StandardOpenOption.APPEND);

        Result result = run(3, order -> submit(order, "SUCCEEDED"));

        assertThat(result.isSuccess()).isTrue();
        assertThat(yarn.submitted()).hasSize(3).doesNotHaveDuplicates();
    }

    @Test
    void aResourceManagerThatDoesNotAnswerForAWhileCostsNoJob() throws Exception {
        Result result = run(6, order -> {
            yarn.setBroken(order.submission().instance() % 4 != 3);
            submit(order, "SUCCEEDED");
            if (order.submission().instance() == 5) {
                yarn.setBroken(false);
            }
        });

        assertThat(result.isSuccess()).isTrue();
        assertThat(yarn.submitted()).hasSize(6);
    }

    @Test
    void aRunOfAnotherTimetableIsNotGoneOnWith() throws Exception {
        run(2, order -> submit(order, "SUCCEEDED"));

        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> run(3, order -> submit(order, "SUCCEEDED")))
                .withMessageContaining("another timetable");
    }

    @Test
    void oneProcessAtATimeUsesARunsFolder() throws Exception {
        try (RunDirectory one = RunDirectory.open(directory.resolve("run"))) {
            assertThatExceptionOfType(InputException.class)
                    .isThrownBy(() -> RunDirectory.open(one.path()))
                    .withMessageEndingWith("is in use by another dispatch");
        }
    }

    @Test
    void aLoadTestEndsAtTheFirstLoadThatSlowsJobsDownTooMuch() throws Exception {
        Result result = loadTest(new LoadTest.Limits(1.4, OptionalDouble.of(2)));

        // 1.1 with two jobs at once, 1.3 with four, 1.5 with six.
        assertThat(result.isSuccess()).isTrue();
        assertThat(result.states()).isEqualTo(Map.of("SUCCEEDED", 1 + 2 + 4 + 6, "LEFT_OUT", 8 + 8));
        assertThat(yarn.submitted()).hasSize(13);
        assertThat(result.summary()).endsWith("4 jobs at once are held, 6 take 50 % longer than alone");
        JsonNode found = new ObjectMapper().readTree(result.json()).path("loadTest");
        assertThat(found.path("outcome").asText()).isEqualTo("SLOWED");
        assertThat(found.path("steps").findValuesAsText("jobs")).containsExactly("2", "4", "6");
        // Six jobs of 20 vcore-seconds, on 10 vcores for 15 s.
        assertThat(found.path("ending").path("density").asDouble()).isEqualTo(0.8);
    }

    @Test
    void aLoadTestThatAbortsKillsWhatRuns() throws Exception {
        Result result = loadTest(new LoadTest.Limits(1.55, OptionalDouble.of(1.6)));

        assertThat(result.states()).isEqualTo(Map.of("SUCCEEDED", 1 + 2 + 4 + 6, "KILLED", 8, "LEFT_OUT", 8));
        assertThat(result.interrupted()).isFalse();
        assertThat(result.isSuccess()).isFalse();
        assertThat(result.summary())
                .endsWith("6 jobs at once are held, aborted at 8, which take at least 70 % longer than alone");
    }

    @Test
    void aLoadTestThatWasInterruptedGoesOn() throws Exception {
        List<Dispatcher> running = new ArrayList<>();
        loadTest(
                new LoadTest.Limits(1.4, OptionalDouble.empty()),
                order -> {
                    if (order.submission().instance() == 4) {
                        running.get(0).stop();
                    }
                },
                running::add);

        Result second = loadTest(new LoadTest.Limits(1.4, OptionalDouble.empty()));

        assertThat(yarn.submitted()).hasSize(13).doesNotHaveDuplicates();
        assertThat(second.summary()).endsWith("4 jobs at once are held, 6 take 50 % longer than alone");
    }

    private Result loadTest(LoadTest.Limits limits) throws Exception {
        return loadTest(limits, order -> {}, dispatcher -> {});
    }

    /** One that runs alone, then 2, 4, 6, 8 and 8 at once, each of which takes a tenth longer for each other one. */
    private Result loadTest(LoadTest.Limits limits, Consumer<Client.Order> beside, Consumer<Dispatcher> begun)
            throws Exception {
        List<Submission> timetable =
                Timetable.steps(Collections.nCopies(29, Jobs.of("job")), 1, 8, Duration.ofSeconds(5), 3);
        Dispatcher.Guard guard = new Dispatcher.Guard(LoadTest.of(timetable, limits), yarn::kill);
        return run(
                timetable,
                Optional.of(guard),
                order -> {
                    long atOnce = timetable.stream()
                            .filter(other ->
                                    other.at().equals(order.submission().at()))
                            .count();
                    yarn.setMillis(10_000 + 1000 * (atOnce - 1));
                    submit(order, "SUCCEEDED");
                    beside.accept(order);
                },
                begun);
    }

    private void submit(Client.Order order, String status) {
        yarn.submit(order.tags(), status, 2);
    }

    private int instanceOf(String workload) {
        return timetable(4).stream()
                .filter(submission -> submission.job().workload().equals(workload))
                .findFirst()
                .orElseThrow()
                .instance();
    }

    private static List<Submission> timetable(int jobs) {
        return Timetable.batches(Jobs.many(jobs), 1, 2, Duration.ofSeconds(5), 0);
    }

    private Result run(int jobs, Consumer<Client.Order> client) throws Exception {
        return run(jobs, client, dispatcher -> {});
    }

    /** Runs until so many jobs were submitted. */
    private Result stopAfter(int submissions, int jobs) throws Exception {
        List<Dispatcher> running = new ArrayList<>();
        return run(
                jobs,
                order -> {
                    submit(order, "SUCCEEDED");
                    if (order.submission().instance() + 1 == submissions && submissions < jobs) {
                        running.get(0).stop();
                    }
                },
                dispatcher -> {
                    running.add(dispatcher);
                    if (submissions == 0) {
                        dispatcher.stop();
                    }
                });
    }

    private Result run(int jobs, Consumer<Client.Order> client, Consumer<Dispatcher> begun) throws Exception {
        return run(timetable(jobs), Optional.empty(), client, begun);
    }

    private Result run(
            List<Submission> timetable,
            Optional<Dispatcher.Guard> guard,
            Consumer<Client.Order> client,
            Consumer<Dispatcher> begun)
            throws Exception {
        try (RunDirectory folder = RunDirectory.open(directory.resolve("run"))) {
            folder.keep(TimetableText.of(timetable, "default"));
            List<RunJournal.Entry> before = RunJournal.read(folder.journal());
            try (RunJournal journal = RunJournal.open(folder.journal())) {
                Dispatcher dispatcher = new Dispatcher(
                        new Dispatcher.Settings(
                                folder.id(),
                                "default",
                                List.of(),
                                new Places("file:/work", folder.id(), ScaleProfile.TINY),
                                Duration.ofSeconds(1),
                                guard),
                        folder,
                        journal,
                        timetable,
                        Map.of(Framework.MAPREDUCE, client::accept),
                        Runnable::run,
                        yarn.rest(),
                        time,
                        new PlainScreen(new java.io.PrintWriter(java.io.Writer.nullWriter())));
                dispatcher.resume(before);
                begun.accept(dispatcher);
                return dispatcher.run();
            }
        }
    }

    /** Time that passes when somebody waits. */
    private static final class VirtualTime implements Pace {
        private long now;

        @Override
        public long millis() {
            return now;
        }

        @Override
        public void waitUntil(long millis) {
            now = Math.max(now, millis);
        }

        @Override
        public void wake() {
            // Whoever waits has been woken by then.
        }
    }
}
