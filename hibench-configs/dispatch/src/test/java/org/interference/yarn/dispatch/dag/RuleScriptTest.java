package org.interference.yarn.dispatch.dag;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the script does, by a real shell. */
class RuleScriptTest {
    @TempDir
    private Path directory;

    @Test
    void targetsAppearInTheFolderAndTheCommandSeesItsQuotesItsVariablesAndNoInput() throws Exception {
        int status = run(
                "printf '%s|' \"a 'b'\" \"$X\" > sub/one; cat >> sub/one; echo two > two", "o'e/one->sub/one", "two");

        assertThat(status).isZero();
        assertThat(directory.resolve("folder/o'e/one")).hasContent("a 'b'|x $HOME|");
        assertThat(directory.resolve("folder/two")).hasContent("two");
        try (var files = Files.list(directory.resolve("folder"))) {
            assertThat(files).hasSize(2);
        }
    }

    @Test
    void aCommandThatFailsEndsItWithItsStatusAndNothingAppears() throws Exception {
        assertThat(run("echo one > one; exit 7", "one")).isEqualTo(7);
        assertThat(directory.resolve("folder/one")).doesNotExist();
    }

    @Test
    void aTargetThatWasNotMadeIsAFailure() throws Exception {
        assertThat(run("echo one > one", "one", "two")).isEqualTo(RuleScript.NOT_MADE);
        assertThat(directory.resolve("folder/one")).doesNotExist();
    }

    @Test
    void ofAFileSystemOfHadoopsItsShellPutsTheTargets() {
        assertThat(RuleScript.forFileSystem(rule("true", "d/one"), "hdfs://name:1/flows"))
                .contains("FsShell -mkdir -p 'hdfs://name:1/flows/d'")
                .contains("FsShell -rm -r -f -skipTrash 'hdfs://name:1/flows/d/one'; } && ")
                .contains("FsShell -put -f 'd/one' 'hdfs://name:1/flows/d/one' || exit 67");
    }

    /** A container that was pre-empted after it had put its targets begins anew. */
    @Test
    void aFolderThatIsThereIsReplacedWhole() throws Exception {
        Path there = Files.createDirectories(directory.resolve("folder/result"));
        Files.writeString(there.resolve("stale"), "");

        assertThat(run("mkdir result; echo one > result/one", "result")).isZero();
        assertThat(there.resolve("one")).hasContent("one");
        assertThat(there.resolve("stale")).doesNotExist();
    }

    private int run(String command, String... targets) throws IOException, InterruptedException {
        Path sandbox = Files.createDirectory(directory.resolve("sandbox"));
        String script = RuleScript.forPath(
                rule(command, targets), directory.resolve("folder").toString());
        ProcessBuilder builder = new ProcessBuilder("/bin/bash", "-c", script)
                .directory(sandbox.toFile())
                .redirectErrorStream(true);
        builder.environment().put("CONTAINER_ID", "container_1");
        Process process = builder.start();
        process.getInputStream().readAllBytes();
        return process.waitFor();
    }

    private static Rule rule(String command, String... targets) {
        List<FileUse> files = java.util.Arrays.stream(targets)
                .map(name -> name.split("->", -1))
                .map(names -> new FileUse(names[0], names[names.length - 1]))
                .toList();
        return new Rule(0, 1, "kind", new Needs(1, 1), false, files, List.of(), command, Map.of("X", "x $HOME"));
    }
}
