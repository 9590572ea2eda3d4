package org.interference.yarn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What each command prints of an answer. {@code -Dgolden.write=true} writes the texts anew. */
class TablesTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path GOLDEN = Path.of("src/test/resources/text");
    private static final String CONTAINER = "container_1700000000000_0001_01_000002";

    private FakeRm rm;
    private final Program program = new Program();

    @BeforeEach
    void start() throws IOException {
        rm = FakeRm.start()
                .says("GET health", 200, Program.answer("health"))
                .says("GET signals", 200, Program.answer("signals"))
                .says("GET nodes", 200, Program.answer("nodes"))
                .says("GET nodes/rack1-node01.example.com:45454", 200, Program.answer("node"))
                .says("GET containers", 200, Program.answer("containers"))
                .says("GET containers/" + CONTAINER + "/explain", 200, Program.answer("explain"))
                .says("GET containers/" + CONTAINER + "/history", 200, Program.answer("history"))
                .says("GET pairs", 200, Program.answer("pairs"))
                .says("GET traffic", 200, Program.answer("traffic"))
                .says("GET capacity", 200, Program.answer("capacity"))
                .says("GET relocations", 200, Program.answer("relocations"))
                .says("GET profiles", 200, Program.answer("profiles"))
                .says("GET advice/kinds", 200, Program.answer("advice-kinds"))
                .says("GET advice/nodes", 200, Program.answer("advice-nodes"))
                .says("GET model", 200, Program.answer("model"))
                .says("GET shadow-report", 200, Program.answer("shadow-report"))
                .says("GET config", 200, Program.answer("config"));
    }

    @AfterEach
    void stop() {
        rm.close();
    }

    @ParameterizedTest(name = "{1}, {2} columns")
    @CsvSource({
        "status, status, 80",
        "nodes, nodes, 80",
        "nodes, nodes-wide, 0",
        "nodes rack1-node01.example.com:45454, node, 80",
        "containers, containers, 80",
        "containers, containers-wide, 0",
        "explain " + CONTAINER + ", explain, 80",
        "history " + CONTAINER + ", history, 80",
        "history " + CONTAINER + " --csv, history-csv, 0",
        "pairs, pairs, 80",
        "pairs, pairs-wide, 0",
        "traffic, traffic, 80",
        "traffic, traffic-wide, 0",
        "traffic --suggest, traffic-suggest, 80",
        "capacity, capacity, 80",
        "capacity, capacity-wide, 0",
        "relocations, relocations, 80",
        "relocations, relocations-wide, 0",
        "profiles, profiles, 80",
        "profiles, profiles-wide, 0",
        "advice kinds, advice-kinds, 80",
        "advice kinds, advice-kinds-wide, 0",
        "advice kinds --csv, advice-kinds-csv, 0",
        "advice nodes --preparation 157, advice-nodes, 80",
        "model, model, 80",
        "shadow-report, shadow-report, 80",
        "mode, mode, 80",
        "config, config, 80",
        "config yarn.interference.place.mode, setting, 80",
    })
    void eachAnswerIsATextThatFits(String command, String golden, int width) throws IOException {
        program.withWidth(width == 0 ? ProgramEnvironment.NO_TERMINAL : width);

        assertThat(program.run(withRm(command))).isZero();

        assertThat(program.err()).isEmpty();
        Path file = GOLDEN.resolve(golden + ".txt");
        if (Boolean.getBoolean("golden.write")) {
            Files.createDirectories(GOLDEN);
            Files.writeString(file, program.out());
        }
        assertThat(program.out()).isEqualTo(Files.readString(file));
        if (width > 0 && !golden.equals("explain")) {
            assertThat(program.out().lines().filter(line -> !line.startsWith("Not shown: ")))
                    .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(width));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "status, health",
        "nodes, nodes",
        "containers, containers",
        "explain " + CONTAINER + ", explain",
        "history " + CONTAINER + ", history",
        "pairs, pairs",
        "traffic, traffic",
        "capacity, capacity",
        "relocations, relocations",
        "profiles, profiles",
        "advice kinds, advice-kinds",
        "advice nodes, advice-nodes",
        "model, model",
        "shadow-report, shadow-report",
        "mode, health",
        "config, config",
    })
    void jsonIsWhatThePluginAnswered(String command, String answer) throws IOException {
        assertThat(program.run(withRm(command + " --json"))).isZero();

        JsonNode printed = JSON.readTree(program.out());
        assertThat(printed).isEqualTo(JSON.readTree(Program.answer(answer)));
    }

    @Test
    void statusEndsWith1IfSomethingIsDegraded() {
        rm.says("GET health", 200, Program.answer("health-degraded"));

        assertThat(program.run(withRm("status"))).isEqualTo(1);

        assertThat(program.out())
                .startsWith("status      DEGRADED\nproblem     the breaker turned the plugin to shadow: 100 errors\n")
                .contains("mode        shadow (set to on)", "breaker     open");
    }

    @Test
    void anEmptyListIsSaidToBeEmpty() {
        rm.says("GET pairs", 200, "{\"total\":0,\"offset\":0,\"limit\":100,\"pairs\":[]}");

        assertThat(program.run(withRm("pairs"))).isZero();

        assertThat(program.out()).isEqualTo("There are none.\n");
    }

    @Test
    void filtersAreLeftToThePlugin() {
        program.run(withRm("containers --node n1:1 --application a1 --state completed"));
        program.run(withRm("nodes --state stale --contains rack1"));
        program.run(withRm("pairs --container c1"));

        assertThat(rm.asked())
                .containsExactly(
                        "GET /ws/v1/interference/containers?application=a1&limit=100&node=n1:1&offset=0&state=completed",
                        "GET /ws/v1/interference/signals",
                        "GET /ws/v1/interference/nodes?contains=rack1&limit=100&offset=0&state=stale",
                        "GET /ws/v1/interference/signals",
                        "GET /ws/v1/interference/pairs?container=c1&limit=100&offset=0");
    }

    @Test
    void theReportOfTheLastHoursBeginsSoLongBeforeNow() {
        program.run(withRm("shadow-report --last 24h"));
        program.run(withRm("shadow-report --from 2026-01-01T00:00:00Z --to 2026-01-02T00:00:00Z"));

        assertThat(rm.asked())
                .containsExactly(
                        "GET /ws/v1/interference/shadow-report?from=2026-01-30T12:00:00Z",
                        "GET /ws/v1/interference/shadow-report?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z");
    }

    @Test
    void allFetchesPartAfterPart() throws IOException {
        List<String> names = IntStream.range(0, 2500).mapToObj(i -> "node" + i).toList();
        rm.says("GET nodes", question -> {
            int offset = Integer.parseInt(question.query().get("offset"));
            int limit = Integer.parseInt(question.query().get("limit"));
            ArrayNode nodes = JSON.createArrayNode();
            names.stream().skip(offset).limit(limit).forEach(name -> nodes.addObject()
                    .put("node", name)
                    .put("fresh", true)
                    .put("pending", 0));
            ObjectNode answer = JSON.createObjectNode()
                    .put("total", names.size())
                    .put("offset", offset)
                    .put("limit", limit);
            answer.set("nodes", nodes);
            return FakeRm.Said.json(200, answer.toString());
        });

        assertThat(program.run(withRm("nodes --all --json"))).isZero();

        assertThat(JSON.readTree(program.out()).path("nodes").findValuesAsText("node"))
                .isEqualTo(names);
        assertThat(rm.seen()).hasSize(3);
    }

    @Test
    void aPartSaysHowManyThereAre() {
        rm.says("GET nodes", 200, Program.answer("nodes").replace("\"total\":3", "\"total\":4321"));

        assertThat(program.run(withRm("nodes --offset 200 --limit 3"))).isZero();

        assertThat(program.out()).endsWith("\n201 to 203 of 4321; --all shows all, --offset 203 the next.\n");
    }

    private String[] withRm(String command) {
        return (command + " --rm " + rm.url()).split(" ", -1);
    }
}
