package org.interference.yarn.testbed.cores;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoreSummaryTest {
    private final ObjectNode results = new ObjectMapper().createObjectNode();

    @TempDir
    private Path directory;

    private static CoreRun run(String mix, String rule, int repetition, Double... rates) {
        return new CoreRun(mix, rule, repetition, 1.5, 0.25, List.of(rates));
    }

    /** A container that does twice as much counts as another that does half as much, whatever their units are. */
    @Test
    void gainIsOfTheGeometricMeanOfAllContainersPairedByRepetition() {
        CoreSummary.put(
                List.of(
                        run("2", "off", 1, 10.0, 4000.0),
                        run("2", "ours", 1, 8000.0, 10.0),
                        run("2", "published", 1, 5.0, 4000.0),
                        run("2", "again", 1, 10.0, 4840.0),
                        run("2", "off", 2, 100.0, 1000.0),
                        run("2", "ours", 2, 100.0, 1210.0),
                        run("2", "ours", 3, 1.0, 1.0)),
                Optional.of("abc"),
                results);

        assertThat(results.at("/ours/work_gain_2/repetitions").asInt()).isEqualTo(2);
        assertThat(results.at("/ours/work_gain_2/commit").asText()).isEqualTo("abc");
        assertThat(results.at("/ours/work_gain_2/mean").asDouble())
                .isCloseTo((Math.sqrt(2) - 1 + 0.1) / 2, within(1e-4));
        assertThat(results.at("/ctbra/work_gain_2/mean").asDouble()).isCloseTo(Math.sqrt(0.5) - 1, within(1e-4));
        assertThat(results.at("/noise/work_gain_2/mean").asDouble()).isCloseTo(0.1, within(1e-4));
        assertThat(results.path("ours").has("work_gain_4")).isFalse();
    }

    @Test
    void harmIsTheWorstMeanLossUnderOurRuleOrOfWritersMakespans() {
        List<CoreRun> runs = List.of(
                run("2", "off", 1, 100.0),
                run("2", "again", 1, 60.0),
                run("2", "ours", 1, 130.0),
                run("2", "published", 1, 50.0),
                run("8", "off", 1, 100.0),
                run("8", "ours", 1, 99.0));

        CoreSummary.put(runs, Optional.empty(), results);
        assertThat(results.path("harm").asDouble()).isCloseTo(0.01, within(1e-9));

        results.put("disk_makespan_gain", -0.03);
        CoreSummary.put(runs, Optional.empty(), results);
        assertThat(results.path("harm").asDouble()).isCloseTo(0.03, within(1e-9));
    }

    @Test
    void figuresOfMixesThatDidNotRunStay() {
        ObjectNode ours = results.put("cpu_fraction", 0.0003).putObject("ours");
        ours.putObject("work_gain_2").put("mean", -0.7);
        ours.putObject("work_gain_4").put("mean", -0.2);

        CoreSummary.put(List.of(run("2", "off", 1, 1.0), run("2", "ours", 1, 0.9)), Optional.empty(), results);

        assertThat(results.at("/ours/work_gain_2/mean").asDouble()).isCloseTo(-0.1, within(1e-4));
        assertThat(results.at("/ours/work_gain_4/mean").asDouble()).isEqualTo(-0.2);
        assertThat(results.path("harm").asDouble()).isCloseTo(0.2, within(1e-9));
        assertThat(results.path("cpu_fraction").asDouble()).isEqualTo(0.0003);
    }

    @Test
    void runsAreReadAsTheyWereWritten() throws IOException {
        Path file = directory.resolve("runs.tsv");
        List<CoreRun> runs = List.of(run("16", "published", 3, 0.1, 12345.678), run("phases", "off", 1, 2.0));
        for (CoreRun run : runs) {
            run.append(file);
        }

        assertThat(CoreRun.read(file)).isEqualTo(runs);
        assertThat(CoreRun.read(directory.resolve("nothing"))).isEmpty();

        Files.writeString(file, "mix\nfour");
        assertThatThrownBy(() -> CoreRun.read(file)).hasMessageContaining("four");
    }

    /** Where nothing was controlled nothing says that it would be undone. */
    @Test
    void onlyEndsWithSomethingToUndoCount() throws IOException {
        Path file = Files.writeString(
                directory.resolve("undone.tsv"), "killed\t4\t0\nkilled\t2\t1\nstopped\t0\t0\nstopped\t3\t0\n");

        Undone.put(Undone.read(file), results);

        assertThat(results.at("/undone_after_kill/ends").asInt()).isEqualTo(2);
        assertThat(results.at("/undone_after_kill/undone").asInt()).isEqualTo(1);
        assertThat(results.at("/undone_at_stop/ends").asInt()).isEqualTo(1);
        assertThat(results.at("/undone_at_stop/undone").asInt()).isEqualTo(1);
    }

    @Test
    void unknownMixIsRefusedWithThoseThereAre() {
        assertThat(CoreMix.named("16").size()).isEqualTo(16);
        assertThatThrownBy(() -> CoreMix.named("17"))
                .hasMessageContaining("'17'")
                .hasMessageContaining("io_16, phases");
    }
}
