package org.interference.yarn.sim.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.workload.SimTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RumenReaderTest {
    @Test
    void theRealTraceHasTwoRunsOfOneApplicationWith96TasksEach() throws TraceException {
        Trace trace = Traces.read(TraceFormat.RUMEN, Traces.bytes(Traces.RUMEN));

        assertThat(trace.jobs()).extracting(SimJob::name).containsExactly("teragen", "teragen");
        assertThat(trace.jobs()).extracting(job -> job.tasks().size()).containsExactly(96, 96);
        // submitTime 1371222054499 and 1371222159703.
        assertThat(trace.jobs())
                .extracting(SimJob::submitted)
                .containsExactly(Duration.ZERO, Duration.ofMillis(105_204));
    }

    @Test
    void aTaskRunsAsLongAsItsAttemptDid() throws TraceException {
        Trace trace = Traces.read(TraceFormat.RUMEN, Traces.bytes(Traces.RUMEN));

        // startTime 1371222061163, finishTime 1371222078206.
        assertThat(trace.jobs().get(0).tasks().get(0).solo()).isEqualTo(Duration.ofMillis(17_043));
    }

    @Test
    void mapsThatWrite417MegabytesArePredominantlyOnTheDisk() throws TraceException {
        Trace trace = Traces.read(TraceFormat.RUMEN, Traces.bytes(Traces.RUMEN));

        List<SimTask> tasks =
                trace.jobs().stream().flatMap(job -> job.tasks().stream()).toList();
        Set<String> disk = Set.of("app13", "app14", "app15");
        assertThat(tasks.stream()
                        .filter(task -> disk.contains(task.kind().name()))
                        .count())
                .isGreaterThan(tasks.size() * 3 / 4);
    }

    @Test
    void aJobWithoutASuccessfulTaskIsLeftOutAndCounted() throws TraceException {
        String both = text();
        int second = both.indexOf("job_1369942127770_1206");

        Trace trace = Traces.read(
                TraceFormat.RUMEN,
                both.substring(0, second) + both.substring(second).replace("SUCCESS", "FAILED"));

        assertThat(trace.jobs()).hasSize(1);
        assertThat(trace.leftOut()).isEqualTo(1);
    }

    @Test
    void aBrokenLineIsNamed() {
        List<String> lines = Traces.lines(Traces.RUMEN);
        String broken = lines.stream().limit(99).collect(Collectors.joining("\n")) + "\n oops";

        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> Traces.read(TraceFormat.RUMEN, broken))
                .withMessageMatching("trace, line 100: is not a Rumen job trace \\([^\\n]*\\)");
    }

    @Test
    void aTruncatedTraceIsRefused() {
        String text = text();

        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> Traces.read(TraceFormat.RUMEN, text.substring(0, text.length() / 2)))
                .withMessageMatching("trace, line \\d+: is not a Rumen job trace [^\\n]*");
    }

    /** Jackson would guess from the first bytes. */
    @Test
    void whatLooksLikeAnotherCharsetIsRefused() {
        byte[] likeUtf32 = {'r', 0, 0, 0, '[', 0, 'r', 't', 'r', 0};

        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> Traces.read(TraceFormat.RUMEN, likeUtf32))
                .withMessageMatching("trace, line 1: is not a Rumen job trace \\([^\\n]*\\)");
    }

    @Test
    void aJobWithoutItsSubmissionIsNamed() {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> Traces.read(TraceFormat.RUMEN, "{\"jobID\" : \"job_1_0001\"}"))
                .withMessage("trace: job 1 (job_1_0001) has no submitTime");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"am.type\":\"mapreduce\",\"job.start.ms\":0,\"job.tasks\":[{\"container.host\":\"/r/n\"}]}",
                "{\"description\":\"tiny\",\"num_nodes\":10,\"workloads\":[{\"job_name\":\"j\",\"tasks\":[]}]}",
            })
    void theFormatsOfSlsAreToldApart(String text) {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> Traces.read(TraceFormat.RUMEN, text))
                .withMessage(
                        "trace: job 1 has neither jobID nor submitTime: it is not Rumen's. --format sls reads SLS's own traces");
    }

    private static String text() {
        return new String(Traces.bytes(Traces.RUMEN), StandardCharsets.UTF_8);
    }
}
