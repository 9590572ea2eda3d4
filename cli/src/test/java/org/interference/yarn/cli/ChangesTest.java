package org.interference.yarn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands that change something. */
class ChangesTest {
    @TempDir
    private Path folder;

    private FakeRm rm;
    private final Program program = new Program();

    @BeforeEach
    void start() throws IOException {
        rm = FakeRm.start()
                .says("GET health", 200, Program.answer("health"))
                .says("PUT mode", 200, Program.answer("config"))
                .says("PUT config", 200, Program.answer("config"))
                .says("POST model/retrain", 202, "{\"trigger\":\"ASKED\"}")
                .says("POST model/rollback", 200, "{\"version\":2}")
                .says("DELETE profiles", 200, "{\"deleted\":\"a b/c+d\"}")
                .says("GET profiles/export", 200, Program.answer("export"))
                .says("POST profiles/import", 200, "{\"imported\":1}");
    }

    @AfterEach
    void stop() {
        rm.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mode on|PUT mode|{\"mode\":\"on\"}|Everything but queues with a mode of their own is on until",
                "mode OFF --queue root.etl|PUT mode|{\"mode\":\"off\",\"queue\":\"root.etl\"}|root.etl is off until",
                "config yarn.interference.place.mode=on|PUT config"
                        + "|{\"settings\":{\"yarn.interference.place.mode\":\"on\"}}|changed here",
                "model retrain|POST model/retrain||It will train as soon as",
                "model rollback 2|POST model/rollback|{\"version\":2}|Version 2 is the champion.",
            })
    void aChangeIsSentOnceWithItsBodyAndTheHeaderAgainstForgery(
            String command, String request, String body, String text) {
        assertThat(program.run(withRm(command))).isZero();

        assertThat(rm.asked())
                .containsExactly("GET /ws/v1/interference/health", request.replace(" ", " /ws/v1/interference/"));
        FakeRm.Seen change = rm.seen().get(1);
        assertThat(change.headers().getFirst("X-XSRF-Header")).matches("^[a-z]+$");
        assertThat(change.body()).isEqualTo(body == null ? "" : body);
        if (body != null) {
            assertThat(change.headers().getFirst("Content-Type")).startsWith("application/json");
        }
        assertThat(program.out()).contains(text);
        assertThat(program.err()).isEmpty();
    }

    @Test
    void aKeyArrivesAsItIs() {
        assertThat(program.run("profiles", "--delete", "a b/c+d", "--rm", rm.url()))
                .isZero();

        assertThat(rm.seen().get(1).query()).containsEntry("key", "a b/c+d");
        assertThat(program.out()).isEqualTo("Forgot a b/c+d.\n");
    }

    @Test
    void whatIsExportedCanBeImported() throws IOException {
        Path file = folder.resolve("all.json");

        assertThat(program.run("export", file.toString(), "--rm", rm.url())).isZero();
        assertThat(program.run("import", file.toString(), "--rm", rm.url())).isZero();

        assertThat(rm.seen().get(2).body()).isEqualTo(Files.readString(file));
        assertThat(Files.readString(file)).isEqualTo(Program.answer("export").strip() + "\n");
        assertThat(program.out()).isEqualTo("Profiles written to %s: 1.%nProfiles brought in: 1.%n".formatted(file));
    }

    @Test
    void anExportThatIsRefusedLeavesTheFileAlone() throws IOException {
        rm.says("GET profiles/export", 403, "{\"error\":\"alice is no administrator\"}");
        Path file = Files.writeString(folder.resolve("all.json"), "kept");

        assertThat(program.run("export", file.toString(), "--rm", rm.url())).isEqualTo(1);

        assertThat(file).hasContent("kept");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "mode sideways|Invalid value for positional parameter at index 0 (MODE): expected one of [OFF, SHADOW, ON]",
                "mode --queue root.etl|--queue wants a mode to switch to: on, shadow or off",
                "config a=1 b|Give either names to show, or NAME=VALUE once each to change",
                "model rollback 0|VERSION is 0 but must be at least 1",
                "import nowhere.json|nowhere.json cannot be read (there is no such file)",
                "nodes --limit 0|--limit is 0 but must be from 1 to 1000",
                "nodes --offset -1|--offset is -1 but must be at least 0",
                "nodes --state sleepy|Invalid value for option '--state'",
                "shadow-report --last week|--last is 'week' but must be minutes, hours or days",
                "shadow-report --last 1d --from 2026-01-01T00:00:00Z|--from and --last both say where to begin",
                "shadow-report --from yesterday|Invalid value for option '--from': 'yesterday' is not a time such as 2026-01-31T00:00:00Z",
                "status --timeout 0|--timeout is 0 but must be from 1 to 3600",
                "explain|Missing required parameter: 'CONTAINER'",
                "status --fast|Unknown option: '--fast'",
                "forecast|Unmatched argument",
            })
    void badInputIsOneSentenceAndStatus2AndNobodyIsAsked(String command, String sentence) {
        assertThat(program.run(withRm(command))).isEqualTo(2);

        assertThat(program.err()).contains(sentence).hasLineCount(1).doesNotContain("Exception");
        assertThat(program.out()).isEmpty();
        assertThat(rm.asked().stream().filter(line -> !line.startsWith("GET"))).isEmpty();
    }

    @Test
    void everyCommandHasHelp() {
        for (String command : new String[] {
            "status",
            "nodes",
            "containers",
            "explain",
            "pairs",
            "profiles",
            "model",
            "shadow-report",
            "mode",
            "config",
            "export",
            "import",
            "plan",
            "simulate",
            "classify"
        }) {
            assertThat(new Program().run(command, "--help")).as(command).isZero();
        }
        assertThat(program.run("model", "rollback", "--help")).isZero();
        assertThat(program.out()).contains("Usage: interference model rollback");
    }

    @Test
    void withoutACommandTheCommandsAreShown() {
        assertThat(program.run()).isEqualTo(2);

        assertThat(program.err()).contains("status", "shadow-report", "simulate", "Exit status");
    }

    private String[] withRm(String command) {
        return (command.equals("forecast") ? command : command + " --rm " + rm.url()).split(" ", -1);
    }
}
