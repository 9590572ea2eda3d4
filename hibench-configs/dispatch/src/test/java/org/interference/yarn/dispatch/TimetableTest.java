package org.interference.yarn.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimetableTest {
    private static final Duration FIVE = Duration.ofSeconds(5);

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 17, -1, Long.MIN_VALUE, Long.MAX_VALUE})
    void everyJobIsSubmittedOnceInAnOrderThatOnlyTheSeedDecides(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            List<Job> jobs = Jobs.many(random.nextInt(60));
            int batch = 1 + random.nextInt(12);
            int ramp = random.nextInt(5);

            List<Submission> timetable = Timetable.batches(jobs, seed, batch, FIVE, ramp);

            assertThat(timetable).isEqualTo(Timetable.batches(jobs, seed, batch, FIVE, ramp));
            assertThat(order(timetable)).isEqualTo(order(Timetable.batches(jobs, seed, 1, Duration.ZERO, 0)));
            assertThat(order(timetable)).containsExactlyInAnyOrderElementsOf(jobs);
            assertThat(timetable.stream().map(Submission::instance))
                    .containsExactlyElementsOf(
                            IntStream.range(0, jobs.size()).boxed().toList());
            assertThat(timetable.stream().map(Submission::at)).isSorted();
        }
    }

    @Test
    void anotherSeedGivesAnotherOrder() {
        List<Job> jobs = Jobs.many(40);

        assertThat(order(Timetable.batches(jobs, 1, 10, FIVE, 0)))
                .isNotEqualTo(order(Timetable.batches(jobs, 2, 10, FIVE, 0)));
    }

    @Test
    void tenComeEveryFiveSecondsWhateverBecomesOfThem() {
        assertThat(sizes(Timetable.batches(Jobs.many(25), 1, 10, FIVE, 0)))
                .containsExactlyInAnyOrderEntriesOf(Map.of(0L, 10L, 5L, 10L, 10L, 5L));
    }

    @Test
    void theRampsBatchesGrowToWholeOnes() {
        assertThat(sizes(Timetable.batches(Jobs.many(30), 1, 10, FIVE, 3)))
                .containsExactlyInAnyOrderEntriesOf(Map.of(0L, 3L, 5L, 5L, 10L, 8L, 15L, 10L, 20L, 4L));
    }

    @Test
    void aRampOfSingleJobsStillSubmitsOneEachTime() {
        assertThat(sizes(Timetable.batches(Jobs.many(3), 1, 1, FIVE, 2)))
                .containsExactlyInAnyOrderEntriesOf(Map.of(0L, 1L, 5L, 1L, 10L, 1L));
    }

    @Test
    void aLoadTestsKindsRunAloneFirstAndThenTheLoadGrows() {
        List<Job> jobs = new ArrayList<>(Jobs.many(3));
        jobs.addAll(Jobs.many(3));
        jobs.addAll(Jobs.many(3));

        List<Submission> timetable = Timetable.steps(jobs, 1, 3, FIVE, 2);

        assertThat(order(timetable)).containsExactlyInAnyOrderElementsOf(jobs);
        assertThat(order(timetable.subList(0, 3))).containsExactlyInAnyOrderElementsOf(Jobs.many(3));
        assertThat(sizes(timetable))
                .containsExactlyInAnyOrderEntriesOf(Map.of(0L, 1L, 5L, 1L, 10L, 1L, 15L, 1L, 20L, 2L, 25L, 3L));
    }

    private static List<Job> order(List<Submission> timetable) {
        return timetable.stream().map(Submission::job).toList();
    }

    private static Map<Long, Long> sizes(List<Submission> timetable) {
        return timetable.stream()
                .collect(Collectors.groupingBy(submission -> submission.at().toSeconds(), Collectors.counting()));
    }
}
