package org.interference.yarn.sim.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.workload.SimTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SwimReaderTest {
    @Test
    void everyLineOfTheRealSampleIsAJob() {
        Trace trace = SwimSample.read(KindInference.USUAL);

        assertThat(trace.jobs()).hasSize(5894);
        assertThat(trace.leftOut()).isZero();
        assertThat(trace.jobs().get(0).submitted()).isZero();
        // The first line says 49 s, the last one 86404 s.
        assertThat(trace.jobs().get(5893).submitted()).isEqualTo(Duration.ofSeconds(86404 - 49));
    }

    @Test
    void theRealSampleHasDiskAndCpuAndLightTasksInThreeQueues() {
        Trace trace = SwimSample.read(KindInference.USUAL);

        assertThat(trace.jobs().stream()
                        .map(job -> job.tasks().get(0).kind().name())
                        .distinct())
                .contains("light-idle", "app10", "app13");
        assertThat(trace.jobs().stream().map(SimJob::queue).distinct()).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void aMapPerBlockAndAReducePerShuffledGigabyte() throws TraceException {
        long input = 3 * SwimReader.BLOCK;
        long shuffle = 2 * SwimReader.REDUCED;

        List<SimTask> tasks =
                only("job0\t0\t0\t%d\t%d\t0".formatted(input, shuffle)).tasks();

        // 2 GiB of map output need more maps than 3 blocks of input.
        assertThat(tasks).hasSize(16 + 2);
    }

    @Test
    void aJobWithoutShuffleHasMapsOnly() throws TraceException {
        List<SimTask> tasks =
                only("job0\t0\t0\t%d\t0\t5".formatted(3 * SwimReader.BLOCK)).tasks();

        assertThat(tasks).hasSize(3);
    }

    @Test
    void aMapOfTheRumenTracesSizeRunsForItsCpuTimeAndTheStart() throws TraceException {
        SimTask task = only("job0\t0\t0\t0\t0\t100000000").tasks().get(0);

        assertThat(task.solo()).isEqualTo(Duration.ofMillis(3500 + 3432));
    }

    @Test
    void jobsOfEqualMagnitudesAreRunsOfOneApplication() throws TraceException {
        Trace trace = Traces.read(TraceFormat.SWIM, "a\t0\t0\t100\t0\t7\nb\t9\t9\t999\t0\t1\nc\t9\t0\t1000\t0\t1\n");

        assertThat(trace.jobs().stream().map(SimJob::name))
                .containsExactly("swim-i3-s0-o1", "swim-i3-s0-o1", "swim-i4-s0-o1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "job1 49 49 1 1|has 5 fields between tabs but must have 6",
                "job1 x 49 1 1 1|submitted is 'x' but must be a whole number from 0",
                "job1 49 49 -1 1 1|input bytes is '-1' but must be a whole number from 0",
                "job1 49 49 1 1.5 1|shuffle bytes is '1.5' but must be a whole number from 0",
                "job1 49 49 1 1 99999999999999999999|output bytes is '99999999999999999999' but must be",
                "job1 49 49 999999999999999999 1 1|makes 7450580598 tasks; a job can have at most 1000000000",
            })
    void aBadLineIsNamedWithWhatIsWrong(String line, String problem) {
        String text = "job0\t1\t1\t1\t1\t1\n\n" + line.replace(' ', '\t');

        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> Traces.read(TraceFormat.SWIM, text))
                .withMessageStartingWith("trace, line 3: ")
                .withMessageContaining(problem);
    }

    @Test
    void aTraceOfMoreTasksThanMemoryHoldsIsReadAndScaled() throws TraceException {
        // 32 TiB in each job.
        Trace trace = Traces.read(
                TraceFormat.SWIM, "job\t0\t1\t%d\t0\t0\n".formatted(1L << 45).repeat(10_000));

        assertThat(trace.tasks()).isEqualTo(10_000L * (1 << 18));
        assertThat(trace.kinds()).hasSize(1);
        TracePattern replay = new TracePattern("t", trace.jobs(), 60, new TraceScale(1.0 / (1 << 15), 1));
        assertThat(replay.mostTasks()).isEqualTo(60 * 8);
        assertThat(replay.jobs(new Random(1), 32)).hasSize(60).allSatisfy(job -> assertThat(job.tasks())
                .hasSize(8));
    }

    @Test
    void anEmptyFileIsNoTrace() {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> Traces.read(TraceFormat.SWIM, "\n"))
                .withMessage("trace: has no job with a task that succeeded");
    }

    private static SimJob only(String line) throws TraceException {
        return Traces.read(TraceFormat.SWIM, line).jobs().get(0);
    }
}
