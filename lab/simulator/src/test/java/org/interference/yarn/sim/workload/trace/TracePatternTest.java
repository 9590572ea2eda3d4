package org.interference.yarn.sim.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.interference.yarn.sim.workload.NamedKinds;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.workload.SimTask;
import org.junit.jupiter.api.Test;

class TracePatternTest {
    private static final List<SimJob> TRACE =
            SwimSample.read(KindInference.USUAL).jobs();

    @Test
    void theSameSeedReplaysTheSameJobsAndAnotherOneOthers() {
        TracePattern pattern = new TracePattern("swim", TRACE, 60, TraceScale.NONE);

        assertThat(pattern.jobs(new Random(1), 32)).isEqualTo(pattern.jobs(new Random(1), 32));
        assertThat(pattern.jobs(new Random(1), 32)).isNotEqualTo(pattern.jobs(new Random(2), 32));
    }

    @Test
    void aReplayIsAsManyConsecutiveJobsAsItsWindowAndBeginsAtZero() {
        TracePattern pattern = new TracePattern("swim", TRACE, 60, TraceScale.NONE);

        for (int seed = 0; seed < 100; seed++) {
            List<SimJob> jobs = pattern.jobs(new Random(seed), 32);
            assertThat(jobs).hasSize(60).isSortedAccordingTo(Comparator.comparing(SimJob::submitted));
            assertThat(jobs.get(0).submitted()).isZero();
        }
    }

    @Test
    void aWindowThatIsLongerThanTheTraceReplaysAllOfIt() {
        assertThat(new TracePattern("swim", TRACE, 1_000_000, TraceScale.NONE).jobs(new Random(1), 32))
                .isEqualTo(TRACE);
    }

    @Test
    void aSmallerScaleKeepsAShareOfTheTasksEvenlySpaced() {
        SimJob job = new SimJob("j", "a", Duration.ZERO, tasks(100));

        List<SimTask> kept = new TraceScale(0.25, 1).apply(job, Duration.ZERO).tasks();

        assertThat(kept)
                .hasSize(25)
                .startsWith(job.tasks().get(0))
                .contains(job.tasks().get(48), job.tasks().get(96));
    }

    @Test
    void aJobKeepsAtLeastOneTask() {
        SimJob job = new SimJob("j", "a", Duration.ZERO, tasks(3));

        assertThat(new TraceScale(0.001, 1).apply(job, Duration.ZERO).tasks()).hasSize(1);
    }

    @Test
    void aLargerScaleRepeatsTasks() {
        SimJob job = new SimJob("j", "a", Duration.ZERO, tasks(3));

        assertThat(new TraceScale(2, 1).apply(job, Duration.ZERO).tasks()).hasSize(6);
    }

    @Test
    void speedShortensTheTimeBetweenSubmissionsAndNothingElse() {
        SimJob job = new SimJob("j", "a", Duration.ofSeconds(70), tasks(3));

        SimJob scaled = new TraceScale(1, 4).apply(job, Duration.ofSeconds(30));

        assertThat(scaled).isEqualTo(new SimJob("j", "a", Duration.ofSeconds(10), job.tasks()));
    }

    @Test
    void aScaleIsPositive() {
        assertThatIllegalArgumentException().isThrownBy(() -> new TraceScale(0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> new TraceScale(1, Double.NaN));
    }

    @Test
    void loadIsTheWorkOverTheSlotsWhileJobsAreSubmitted() {
        SimTask task = new SimTask(NamedKinds.kind("app13"), Duration.ofSeconds(10));
        List<SimJob> jobs = List.of(
                new SimJob("j", "a", Duration.ofSeconds(5), List.of(task, task)),
                new SimJob("j", "a", Duration.ofSeconds(25), List.of(task, task)));

        assertThat(TraceScale.load(jobs, TraceScale.NONE, 4)).isEqualTo(0.5);
        assertThat(TraceScale.load(jobs, new TraceScale(0.5, 4), 4)).isEqualTo(1);
    }

    @Test
    void loadsAreThoseOfWindowsAndNotOfTheWholeTrace() {
        SimTask task = new SimTask(NamedKinds.kind("app13"), Duration.ofSeconds(10));
        List<SimJob> jobs = Stream.of(0, 10, 1000, 1040)
                .map(second -> new SimJob("j", "a", Duration.ofSeconds(second), List.of(task)))
                .toList();

        assertThat(new TracePattern("t", jobs, 2, TraceScale.NONE).loads(1)).containsExactly(20.0 / 990, 0.5, 2.0);
        assertThat(new TracePattern("t", jobs, 9, TraceScale.NONE).loads(1)).containsExactly(40.0 / 1040);
    }

    @Test
    void ofALongTraceAHundredWindowsAreLookedAt() {
        assertThat(new TracePattern("swim", TRACE, 60, TraceScale.NONE).loads(32))
                .hasSize(100)
                .isSorted();
    }

    @Test
    void theSwimReplayLoadsAClusterOfAnySizeAlike() {
        SwimReplay replay = new SwimReplay(KindInference.USUAL);

        for (int slots : new int[] {16, 400}) {
            double load = IntStream.range(0, 200)
                    .mapToObj(seed -> replay.jobs(new Random(seed), slots))
                    .mapToDouble(jobs -> work(jobs) / slots)
                    .sum();
            double seconds = IntStream.range(0, 200)
                    .mapToObj(seed -> replay.jobs(new Random(seed), slots))
                    .mapToDouble(jobs -> jobs.get(jobs.size() - 1).submitted().toMillis() / 1000.0)
                    .sum();
            assertThat(load / seconds).isBetween(0.6, 1.0);
        }
    }

    private static double work(List<SimJob> jobs) {
        return jobs.stream()
                .flatMap(job -> job.tasks().stream())
                .mapToDouble(task -> task.solo().toMillis() / 1000.0)
                .sum();
    }

    private static List<SimTask> tasks(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(seconds -> new SimTask(NamedKinds.kind("app13"), Duration.ofSeconds(seconds)))
                .toList();
    }
}
