package org.interference.yarn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command plan. {@code -Dgolden.write=true} writes its text anew. */
class PlanTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path EXAMPLE = Path.of("../conf/services.example.json");
    private static final Path GOLDEN = Path.of("src/test/resources/text/plan.txt");
    private static final String CASE_1 = """
            {"name": "case-1", "tiers": [
              {"name": "#1", "size": 0.3, "degradation": {"cpu": "moderate"}, "affinity": {"#2": "high"}},
              {"name": "#2", "like": "#1"},
              {"name": "#3", "size": 0.3, "degradation": {"disk": "high"}, "affinity": {"#4": "low"}},
              {"name": "#4", "like": "#3"}]}""";

    private final Program program = new Program();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"anneal", "climb", "exact"})
    void everySolverFindsThePublishedPlan(String solver) throws IOException {
        assertThat(run("--nodes", "2x1.0", "--json", "--solver", solver)).isZero();

        JsonNode answer = JSON.readTree(program.out());
        assertThat(answer.path("plan").path("cost").asDouble()).isBetween(1.186249, 1.186251);
        assertThat(answer.path("plan").path("machines").findValuesAsText("interference"))
                .containsExactlyInAnyOrder("1.3225", "1.0");
        assertThat(answer.path("interferenceOnly").path("cost").asDouble()).isGreaterThan(1.3);
        assertThat(answer.path("affinityOnly").path("cost").asDouble()).isBetween(3.19249, 3.19251);
    }

    @Test
    void theExampleIsATextThatFits() throws IOException {
        assertThat(program.run("plan", EXAMPLE.toString(), "--solver", "exact")).isZero();

        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(GOLDEN, program.out());
        }
        assertThat(program.out()).isEqualTo(Files.readString(GOLDEN));
        assertThat(program.out().lines().filter(line -> !line.startsWith("Not shown: ")))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void theCostIsPrintedAsTheThesisPrintsIt() throws IOException {
        assertThat(run("--nodes", "A=1.0,B=1.0")).isZero();

        assertThat(program.out()).contains("cost           ", "1.1862\n", "3.1925");
    }

    @Test
    void todaysPlacementIsComparedWith() throws IOException {
        Path today = Files.writeString(
                folder.resolve("today.json"), "{\"#1\": \"A\", \"#2\": [\"B\"], \"#3\": \"A\", \"#4\": \"B\"}");

        assertThat(run("--nodes", "A=1.0,B=1.0", "--today", today.toString())).isZero();

        assertThat(program.out()).containsPattern("today +1.3243\n").contains("TODAY");
    }

    @Test
    void machinesMayComeFromAFile() throws IOException {
        Path nodes = Files.writeString(
                folder.resolve("nodes.json"),
                "[{\"name\": \"big\", \"capacity\": {\"size\": 2}}, {\"name\": \"none\", \"capacity\": 1}]");

        assertThat(run("--nodes", nodes.toString(), "--json")).isZero();

        assertThat(JSON.readTree(program.out()).path("plan").path("machines").findValuesAsText("name"))
                .contains("big", "none");
    }

    @Test
    void liveAsksWhatTheResourceManagerKnowsAndPlansHere() throws IOException {
        String inputs = Files.readString(Path.of("src/test/resources/answers/plan-inputs.json"));
        Path file = Files.writeString(folder.resolve("shop.json"), """
                {"name": "shop", "tiers": [
                  {"name": "db", "size": {"memory-mb": 1024, "vcores": 1}, "profile": "etl/map"},
                  {"name": "web", "size": {"memory-mb": 512, "vcores": 1}, "profile": "a b/c"},
                  {"name": "api", "like": "web"}]}""");
        try (FakeRm rm = FakeRm.start().says("GET plan-inputs", 200, inputs)) {
            Program live = new Program();
            Path svg = folder.resolve("plan.svg");

            assertThat(live.run(
                            "plan",
                            file.toString(),
                            "--live",
                            "--rm",
                            rm.url(),
                            "--json",
                            "--svg",
                            svg.toString(),
                            "--seconds",
                            "20",
                            "--solver",
                            "exact",
                            "--application",
                            "application_1_0001",
                            "--contains",
                            "rack1"))
                    .isZero();

            JsonNode answer = JSON.readTree(live.out());
            assertThat(answer.path("plan").path("machines").findValuesAsText("name"))
                    .contains("db", "web", "api", "what runs on rack1-a:8041");
            assertThat(rm.asked())
                    .containsExactly("GET /ws/v1/interference/plan-inputs?application=application_1_0001&contains=rack1"
                            + "&profile=a b/c,etl/map");
            assertThat(Files.readString(svg)).contains("shop");
        }
    }

    @Test
    void measuredAffinitiesAreAskedForWithTheNetworksSpeedAlone() throws IOException {
        String inputs = Files.readString(Path.of("src/test/resources/answers/plan-inputs.json"));
        Path file = Files.writeString(folder.resolve("shop.json"), """
                {"tiers": [{"name": "db", "size": {"memory-mb": 1024, "vcores": 1}, "profile": "etl/map"}]}""");
        try (FakeRm rm = FakeRm.start()
                .says("GET plan-inputs", 200, inputs)
                .says("GET traffic", 200, "{\"traffic\":[],\"reason\":\"no node tells\"}")) {
            Program live = new Program();
            String[] arguments = {
                "plan",
                file.toString(),
                "--live",
                "--rm",
                rm.url(),
                "--application",
                "application_1_0001",
                "--network",
                "10G"
            };

            assertThat(live.run(arguments)).isEqualTo(2);
            assertThat(live.err()).contains("--network: no node tells").hasLineCount(1);
            assertThat(rm.asked())
                    .last()
                    .isEqualTo("GET /ws/v1/interference/traffic?application=application_1_0001&limit=1000&offset=0");

            rm.says("GET traffic", 200, Program.answer("traffic"));
            assertThat(live.run(arguments)).isZero();
        }
    }

    @Test
    void liveAsksNobodyForAFileThatIsWrong() throws IOException {
        try (FakeRm rm = FakeRm.start()) {
            Path file = Files.writeString(folder.resolve("wrong.json"), "{\"tiers\": [{\"name\": \"db\"}]}");

            assertThat(program.run("plan", file.toString(), "--live", "--rm", rm.url()))
                    .isEqualTo(2);
            assertThat(rm.asked()).isEmpty();
        }
    }

    @Test
    void aPictureAndAServiceFileAreWritten() throws IOException {
        Path svg = folder.resolve("plan.svg");
        Path yarnfile = folder.resolve("Yarnfile");

        assertThat(program.run("plan", EXAMPLE.toString(), "--svg", svg.toString(), "--export", yarnfile.toString()))
                .isZero();

        assertThat(Files.readString(svg)).startsWith("<svg").contains("reports");
        assertThat(JSON.readTree(Files.readString(yarnfile)).path("components").findValuesAsText("name"))
                .contains("reports");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "FILE|The file names no machines: say --nodes, or --live",
                "FILE --nodes 0x1|--nodes asks for 0 machines but there may be from 1 to 100000",
                "FILE --nodes here|--nodes is 'here', which is neither a file nor of the form",
                "FILE --nodes a=1,a=1|There are two machines called 'a'",
                "FILE --nodes a=x|The capacity of machine 'a' is 'x' but must be a number",
                "FILE --nodes a=-1|size of machine 'a' is -1.0 but must be positive",
                "FILE --nodes a=0.2|An instance of tier '#1' (size 0.3) is larger than what every machine has free",
                "FILE --nodes 2x0.5|The tiers need 1.2 of size together, and the machines have 1 free",
                "FILE --nodes 3x0.5|No plan was found in which every tier fits",
                "FILE --nodes 3x0.5 --solver exact|There is no plan in which every tier fits",
                "FILE --nodes nodes.json|nodes.json cannot be read (there is no such file)",
                "FILE --nodes 2x1 --solver best|There is no solver 'best'; there are anneal, climb, round-robin, exact",
                "FILE --nodes 2x1 --seconds 0|--seconds is 0.0 but must be more than 0",
                "FILE --nodes 2x1 --today none|none cannot be read (there is no such file)",
                "FILE --nodes 2x1 --svg /no/such/folder/p.svg|/no/such/folder/p.svg cannot be written (there is no such folder)",
                "FILE --nodes 2x1 --export yarnfile|YARN needs to know what tier '#1' takes",
                "FILE --nodes 2x1 --contains rack1|--application and --contains are for --live",
                "FILE --live --network 1G|--network is for --application",
                "FILE --live --application application_1_1 --network fast|--network is 'fast' but must be a number",
                "FILE --live --nodes 2x1|--live takes the cluster's own nodes",
                "none.json --nodes 2x1|none.json cannot be read (there is no such file)",
            })
    void badInputIsOneSentenceAndStatusTwo(String arguments, String sentence) throws IOException {
        assertThat(program.run(("plan " + arguments.replace("FILE", services().toString())).split(" ")))
                .isEqualTo(2);

        assertThat(program.err()).contains(sentence).hasLineCount(1).doesNotContain("Exception");
        assertThat(program.out()).isEmpty();
    }

    @Test
    void whatOnlyAProfileKnowsIsForTheResourceManager() throws IOException {
        Path file = Files.writeString(
                folder.resolve("profile.json"),
                "{\"tiers\": [{\"name\": \"a\", \"size\": 1, \"profile\": \"etl/map\"}]}");

        assertThat(program.run("plan", file.toString(), "--nodes", "2x1")).isEqualTo(2);

        assertThat(program.err()).startsWith("Only the ResourceManager knows the profile 'etl/map' of tier 'a'");
    }

    private Path services() throws IOException {
        return Files.writeString(folder.resolve("services.json"), CASE_1);
    }

    private int run(String... options) throws IOException {
        String[] arguments = new String[options.length + 2];
        arguments[0] = "plan";
        arguments[1] = services().toString();
        System.arraycopy(options, 0, arguments, 2, options.length);
        return program.run(arguments);
    }
}
