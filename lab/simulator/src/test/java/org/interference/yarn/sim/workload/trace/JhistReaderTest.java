package org.interference.yarn.sim.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.interference.yarn.sim.workload.NamedKinds;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.workload.SimTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JhistReaderTest {
    @Test
    void theRealSleepJobHasTenMapsAndTwoReducesThatDoNothing() throws TraceException {
        SimJob job = only(Traces.SLEEP);

        assertThat(job.name()).isEqualTo("sleep-job");
        assertThat(job.tasks()).hasSize(12);
        // startTime 1329348450485, finishTime 1329348462562.
        assertThat(job.tasks().get(0)).isEqualTo(new SimTask(NamedKinds.kind("light-idle"), Duration.ofMillis(12_077)));
    }

    @Test
    void aHistoryWithBlankLinesBetweenItsEventsIsRead() throws TraceException {
        SimJob job = only(Traces.TERAGEN);

        assertThat(job.name()).isEqualTo("teragen");
        assertThat(job.tasks()).hasSize(2);
    }

    @Test
    void theLineOfABadEventIsNamed() {
        List<String> lines = new ArrayList<>(Traces.lines(Traces.TERAGEN));
        lines.set(8, "{\"type\":\"JOB_INITED\",\"event\":{\"nonsense\":1}}");

        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> Traces.read(TraceFormat.JHIST, String.join("\n", lines)))
                .withMessageMatching("trace, line 9: is not an event of a MapReduce job history \\([^\\n]*\\)");
    }

    @Test
    void aHistoryThatEndsWithinAnEventIsRefused() {
        List<String> lines = Traces.lines(Traces.SLEEP);
        String cut = String.join("\n", lines.subList(0, 20)) + "\n"
                + lines.get(20).substring(0, lines.get(20).length() / 2);

        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> Traces.read(TraceFormat.JHIST, cut))
                .withMessageStartingWith("trace, line 21: ");
    }

    @Test
    void anotherFormatIsRefusedAtItsFirstLine() {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> Traces.read(TraceFormat.JHIST, Traces.bytes(Traces.SWIM)))
                .withMessageStartingWith("trace, line 1: does not begin as a MapReduce job history");
    }

    @Test
    void aFolderIsAllItsHistoriesInTheOrderOfTheirSubmission(@TempDir Path folder) throws IOException, TraceException {
        Path below = Files.createDirectories(folder.resolve("2012/02"));
        Files.write(folder.resolve("b.jhist"), Traces.bytes(Traces.TERAGEN));
        Files.write(below.resolve("a.jhist"), Traces.bytes(Traces.SLEEP));
        Files.writeString(folder.resolve("job_conf.xml"), "<configuration/>");

        Trace trace = TraceFormat.JHIST.read(folder, KindInference.USUAL);

        assertThat(trace.jobs()).extracting(SimJob::name).containsExactly("sleep-job", "teragen");
        assertThat(trace.jobs()).extracting(SimJob::queue).containsOnly("a");
    }

    @Test
    void aDamagedHistoryOfAFolderIsLeftOutAndToldOf(@TempDir Path folder) throws IOException, TraceException {
        Files.write(folder.resolve("a.jhist"), Traces.bytes(Traces.SLEEP));
        Path damaged = Files.writeString(folder.resolve("b.jhist"), "Avro-Json\n");

        Trace trace = TraceFormat.JHIST.read(folder, KindInference.USUAL);

        assertThat(trace.jobs()).extracting(SimJob::name).containsExactly("sleep-job");
        assertThat(trace.unreadable()).singleElement().asString().startsWith(damaged + ", line 1: does not begin");
    }

    @Test
    void aFolderOfDamagedHistoriesIsRefusedForTheFirst(@TempDir Path folder) throws IOException {
        Path first = Files.writeString(folder.resolve("a.jhist"), "Avro-Json\n");
        Files.writeString(folder.resolve("b.jhist"), "");

        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> TraceFormat.JHIST.read(folder, KindInference.USUAL))
                .withMessageStartingWith(first + ", line 1: ");
    }

    @Test
    void aFolderWithoutHistoriesIsRefused(@TempDir Path folder) {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> TraceFormat.JHIST.read(folder, KindInference.USUAL))
                .withMessage(folder + ": has no .jhist file in it");
    }

    @Test
    void aMissingFileIsASentence() {
        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> TraceFormat.JHIST.read(Path.of("none.jhist"), KindInference.USUAL))
                .withMessage("none.jhist: cannot be read (there is no such file)");
    }

    @Test
    void whatIsNamedGzAndIsNotPackedIsASentence(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("a.gz"), "plain", StandardCharsets.UTF_8);

        assertThatExceptionOfType(TraceException.class)
                .isThrownBy(() -> TraceFormat.RUMEN.read(file, KindInference.USUAL))
                .withMessage(file + ": cannot be read (Not in GZIP format)");
    }

    private static SimJob only(String resource) throws TraceException {
        return Traces.read(TraceFormat.JHIST, Traces.bytes(resource)).jobs().get(0);
    }
}
