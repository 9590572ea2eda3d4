package org.interference.yarn.sim.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.workload.SimTask;
import org.interference.yarn.sim.workload.SimTaskKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlsReaderTest {
    @Test
    void jobsComeAsOftenAndWhenTheirTraceSays() throws TraceException {
        Trace trace = Traces.read(TraceFormat.SLS, Traces.bytes(Traces.SLS));

        assertThat(trace.jobs())
                .extracting(SimJob::name)
                .containsExactly("yarn-default-adhoc", "yarn-default-adhoc", "yarn-default-adhoc", "mapreduce-ann-etl");
        assertThat(trace.jobs().get(3).submitted()).isEqualTo(Duration.ofSeconds(30));
        assertThat(trace.jobs().get(3).queue()).isNotEqualTo(trace.jobs().get(0).queue());
    }

    @Test
    void aTaskTakesItsDurationOrItsEndLessItsStart() throws TraceException {
        Trace trace = Traces.read(TraceFormat.SLS, Traces.bytes(Traces.SLS));

        assertThat(trace.jobs().get(3).tasks())
                .extracting(SimTask::solo)
                .containsExactly(Duration.ofMillis(14_500), Duration.ofMillis(12_250), Duration.ofSeconds(25));
        assertThat(trace.jobs().get(0).tasks())
                .extracting(task -> task.solo().toSeconds())
                .containsExactly(20L, 20L, 20L, 20L, 9L);
    }

    @Test
    void tasksOfOneTypeOfOneApplicationAreOfOneKind() throws TraceException {
        List<SimTask> tasks = Traces.read(TraceFormat.SLS, Traces.bytes(Traces.SLS))
                .jobs()
                .get(3)
                .tasks();

        assertThat(tasks.get(0).kind())
                .isEqualTo(tasks.get(1).kind())
                .isNotEqualTo(tasks.get(2).kind());
    }

    @Test
    void aTypeThatIsAKindIsThatKind() throws Exception {
        SimTaskKind map = new SimTaskKind("map", Map.of());
        SimTaskKind reduce = new SimTaskKind("reduce", Map.of());

        Trace trace = Traces.read(
                TraceFormat.SLS, Traces.bytes(Traces.SLS), new KindInference(List.of(reduce, map), NodeShape.DEFAULT));

        assertThat(trace.jobs().get(3).tasks()).extracting(SimTask::kind).containsExactly(map, map, reduce);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"num_jobs\": 3, \"workloads\": []}|trace: is SLS's synthetic workload, which says how jobs are to be drawn and is not read; SLS's own traces are, and Rumen's",
                "{\"job.tasks\": []}|trace: entry 1 has no job.tasks, which a job of SLS must have",
                "[3]|trace: entry 1 has no job.tasks, which a job of SLS must have",
                "{\"job.tasks\": [{\"count\": 2}]}|trace: entry 1, task 1 must have container.duration.ms above 0, or container.start.ms and a later container.end.ms",
                "{\"job.start.ms\": -1, \"job.tasks\": [{\"duration.ms\": 2}]}|trace: entry 1: job.start.ms must be a whole number from 0 to 3162240000000",
                "{\"job.count\": 9999999, \"job.tasks\": [{\"duration.ms\": 2, \"count\": 2}]}|trace: has more than 10000000 tasks by entry 1; it can have no more",
                "{\"job.tasks\": |trace, line 1: is not a trace of SLS (Unexpected end-of-input within/between Object entries)",
            })
    void whatIsNoTraceOfSlsIsRefusedInOneSentence(String text, String sentence) {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> Traces.read(TraceFormat.SLS, text))
                .withMessage(sentence);
    }
}
