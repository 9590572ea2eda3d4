package org.interference.yarn.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The load grows until what runs together is too slow, beside the same alone. */
class LoadTestTest {
    private static final OptionalDouble NEVER = OptionalDouble.empty();

    /** Whatever load slows jobs down by how much: the test ends at the first one that does so by the limit. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void endsAtTheFirstStepThatIsSlowedDownByTheLimit(long seed) throws InputException {
        Random random = new Random(seed);
        List<Submission> timetable = timetable(random);
        double limit = 1.1 + random.nextDouble();
        double perJob = random.nextDouble() / 5;
        LoadTest test = LoadTest.of(timetable, new LoadTest.Limits(limit, NEVER));
        List<JobRun> jobs = timetable.stream().map(JobRun::new).toList();

        LoadTest.State state = test.state(jobs);
        while (state.outcome() == LoadTest.Outcome.GOES_ON) {
            List<Integer> step = test.step(state.step());
            for (int instance : step) {
                assertThat(jobs.get(instance).submitted()).isEmpty();
                run(jobs.get(instance), slowed(step.size(), perJob), true);
            }
            state = test.state(jobs);
        }

        int expected = test.loads().size();
        for (int step = expected - 1; step >= 0; step--) {
            expected = slowed(test.loads().get(step).size(), perJob) >= limit ? step : expected;
        }
        boolean isSlowed = expected < test.loads().size();
        assertThat(state.outcome()).isEqualTo(isSlowed ? LoadTest.Outcome.SLOWED : LoadTest.Outcome.HELD);
        LoadReport report = LoadReport.of(test, jobs, Optional.empty());
        assertThat(report.steps()).hasSize(isSlowed ? expected + 1 : expected);
        assertThat(report.held())
                .isEqualTo(test.loads().subList(0, expected).stream()
                        .mapToInt(List::size)
                        .max());
    }

    /** While a step runs: it is aborted only if it comes to that slowdown whatever happens, and as soon as it does. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
    void abortsOnlyWhatMustBecomeTooSlow(long seed) throws InputException {
        Random random = new Random(seed);
        List<Submission> timetable = timetable(random);
        double limit = 1.5 + random.nextDouble();
        LoadTest test = LoadTest.of(timetable, new LoadTest.Limits(1.4, OptionalDouble.of(limit)));
        List<JobRun> jobs = timetable.stream().map(JobRun::new).toList();
        IntStream.range(
                        0,
                        timetable.size()
                                - test.loads().stream().mapToInt(List::size).sum())
                .forEach(instance -> run(jobs.get(instance), 1, true));
        List<Integer> step = test.loads().get(0);
        List<Double> slowdowns =
                step.stream().map(instance -> 1 + random.nextDouble() * 2).toList();
        double mean =
                slowdowns.stream().mapToDouble(slowdown -> slowdown).average().orElseThrow();

        List<LoadTest.Outcome> outcomes = new ArrayList<>();
        for (int tenth = 0; tenth <= 10; tenth++) {
            for (int i = 0; i < step.size(); i++) {
                run(jobs.get(step.get(i)), slowdowns.get(i) * tenth / 10, tenth == 10);
            }
            outcomes.add(test.state(jobs).outcome());
        }

        assertThat(outcomes.contains(LoadTest.Outcome.ABORTED)).isEqualTo(mean >= limit);
        for (int tenth = 0; tenth < 10; tenth++) {
            assertThat(outcomes.get(tenth))
                    .isEqualTo(mean * tenth / 10 >= limit ? LoadTest.Outcome.ABORTED : LoadTest.Outcome.GOES_ON);
        }
    }

    @Test
    void endsWhereAJobFailsAsNothingIsKnownOfAGreaterLoad() throws InputException {
        List<Submission> timetable =
                Timetable.steps(Collections.nCopies(7, Jobs.of("job")), 1, 3, Duration.ofSeconds(5), 2);
        LoadTest test = LoadTest.of(timetable, new LoadTest.Limits(2, NEVER));
        List<JobRun> jobs = timetable.stream().map(JobRun::new).toList();
        run(jobs.get(0), 1, true);
        run(jobs.get(1), 1, true);
        run(jobs.get(2), 1, true);
        jobs.get(3).seen(application(3, 1, "FAILED"));
        jobs.get(3).wasSubmitted(1);
        jobs.get(3).lookedAt();

        assertThat(test.state(jobs)).isEqualTo(new LoadTest.State(LoadTest.Outcome.FAILED, 2));
    }

    @Test
    void wantsASecondJobOfAKind() {
        List<Submission> timetable = Timetable.steps(Jobs.many(5), 1, 2, Duration.ofSeconds(5), 1);

        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() -> LoadTest.of(timetable, new LoadTest.Limits(2, NEVER)))
                .withMessageContaining("no kind has a second job");
    }

    private static List<Submission> timetable(Random random) {
        List<Job> jobs = new ArrayList<>();
        for (int kind = 0; kind < 1 + random.nextInt(4); kind++) {
            jobs.addAll(Collections.nCopies(2 + random.nextInt(8), Jobs.of("kind" + kind)));
        }
        return Timetable.steps(
                jobs, random.nextLong(), 1 + random.nextInt(6), Duration.ofSeconds(1), 1 + random.nextInt(4));
    }

    private static double slowed(int atOnce, double perJob) {
        return 1 + perJob * (atOnce - 1);
    }

    /** Each kind takes another time alone. */
    private static void run(JobRun job, double slowdown, boolean isOver) {
        int instance = job.submission().instance();
        double alone = 10 * (1 + Math.abs(job.submission().job().workload().hashCode() % 7));
        job.wasSubmitted(1);
        job.seen(application(instance, alone * slowdown, isOver ? "SUCCEEDED" : "UNDEFINED"));
        job.lookedAt();
    }

    private static Application application(int number, double seconds, String status) {
        long submitted = 1_000_000;
        long elapsed = Math.round(seconds * 1000);
        boolean isOver = !status.equals("UNDEFINED");
        return new Application(
                "application_1_%04d".formatted(number),
                "",
                "default",
                isOver ? "FINISHED" : "RUNNING",
                status,
                submitted,
                submitted,
                isOver ? submitted + elapsed : 0,
                elapsed,
                50,
                500,
                "",
                List.of());
    }
}
