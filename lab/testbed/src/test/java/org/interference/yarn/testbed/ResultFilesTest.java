package org.interference.yarn.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFilesTest {
    @TempDir
    private Path directory;

    @Test
    void whatIsAppendedIsRead() throws IOException {
        Random random = new Random(1);
        List<RunResult> written = new ArrayList<>();
        for (int run = 0; run < 200; run++) {
            RunResult result = MadeUpRuns.random(random);
            new ResultFiles(directory).append("run-" + run, result);
            written.add(result);
        }

        assertThat(new ResultFiles(directory).read()).isEqualTo(written);
    }

    @Test
    void thereIsNothingBeforeTheFirstRun() throws IOException {
        assertThat(new ResultFiles(directory.resolve("none")).read()).isEmpty();
    }

    @Test
    void whatAnInterruptedRunLeftIsPassedOver() throws IOException {
        RunResult whole = MadeUpRuns.of("fair", 1, 10);
        new ResultFiles(directory).append("first", whole);
        Path jobs = directory.resolve("jobs.tsv");
        String line = Files.readAllLines(jobs).get(1);
        Files.writeString(jobs, line.replace("first", "second") + "\n", StandardOpenOption.APPEND);
        Files.writeString(directory.resolve("runs.tsv"), "second\tcontended\tcapa", StandardOpenOption.APPEND);

        assertThat(new ResultFiles(directory).read()).containsExactly(whole);
    }

    @Test
    void aRunAfterALineThatWasCutOffIsNotLost() throws IOException {
        RunResult whole = MadeUpRuns.of("fair", 1, 10);
        new ResultFiles(directory).append("first", whole);
        Files.writeString(directory.resolve("runs.tsv"), "second\tcontended\tcapa", StandardOpenOption.APPEND);
        new ResultFiles(directory).append("third", whole);

        assertThat(new ResultFiles(directory).read()).containsExactly(whole, whole);
    }

    @Test
    void anotherTableIsRefused() throws IOException {
        Files.writeString(directory.resolve("runs.tsv"), "name\tvalue\n");

        assertThatThrownBy(() -> new ResultFiles(directory).read()).hasMessageContaining("runs.tsv");
    }
}
