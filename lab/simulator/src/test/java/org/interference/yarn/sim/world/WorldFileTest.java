package org.interference.yarn.sim.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.interference.yarn.degradation.DegradationTable;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.sim.workload.SharedResource;
import org.interference.yarn.sim.workload.SimTaskKind;
import org.interference.yarn.sim.workload.SimTaskKinds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorldFileTest {
    private static final Offset<Double> NOISE = within(1e-9);
    /** Beside a, alone and in company. */
    private static final String TABLE = """
            {"name": "own", "kinds": {"a": {"cpu": 0.5}, "b": {}},
             "slowdowns": {"a": {"a": 1.5, "b": 1.2, "a+b": 1.4, "b+b+b": 1.9},
                           "b": {"a": 1.0, "b": 1.1}}}
            """;

    @Test
    void aCompanyThatWasMeasuredHasItsFigure() throws WorldFileException {
        assertThat(slowdown(TABLE, "a", "a")).isEqualTo(1.5);
        assertThat(slowdown(TABLE, "a", "b")).isEqualTo(1.2);
        assertThat(slowdown(TABLE, "a", "b", "b", "b")).isEqualTo(1.9);
        assertThat(slowdown(TABLE, "b", "a")).isEqualTo(1);
        assertThat(slowdown(TABLE, "a")).isEqualTo(1);
    }

    @Test
    void anotherCompanyAddsUpWithinWhatWasMeasured() throws WorldFileException {
        // 1 + 0.2 + 0.2.
        assertThat(slowdown(TABLE, "a", "b", "b")).isCloseTo(1.4, NOISE);
        // 1 + 0.5 + 0.5.
        assertThat(slowdown(TABLE, "a", "a", "a")).isCloseTo(2, NOISE);
        // 1 + 4 * 0.2 would be less than three of them.
        assertThat(slowdown(TABLE, "a", "b", "b", "b", "b")).isCloseTo(1.9, NOISE);
    }

    @Test
    void aCompanyThatSlowsLessThanAPartOfItIsRaisedToThat() throws WorldFileException {
        assertThat(slowdown(TABLE, "a", "a", "b")).isEqualTo(1.5);
    }

    @Test
    void curvesAreLinearBetweenTheirPointsAndBeyond() throws WorldFileException {
        String curves = """
                {"name": "own", "kinds": {"a": {"cpu": 0.3, "disk": 0.4}, "b": {"disk": 0.2, "sensitivity": {"disk": 2, "cpu": 0}}},
                 "curves": {"disk": [[0.2, 1.1], [0.6, 1.5]], "cpu": [[1, 2]]}}
                """;

        // Pressed by 0.4 of the disk, and twice as sensitive: 1 + 2 * 0.3; the CPU does not count.
        assertThat(slowdown(curves, "b", "a")).isCloseTo(1.6, NOISE);
        // A disk pressed by 0.2 and fully sensitive, a CPU pressed by nobody.
        assertThat(slowdown(curves, "a", "b")).isCloseTo(1.1, NOISE);
        // By 0.8 + 0.2 of the disk, and by 0.6 of the CPU.
        assertThat(slowdown(curves, "a", "a", "a", "b")).isCloseTo(1 + 0.9 + 0.6, NOISE);
    }

    @Test
    void withoutKindsTheyAreTheBuiltInOnes() throws WorldFileException {
        assertThat(WorldFile.parse("own.json", "{\"name\": \"own\", \"curves\": {}}")
                        .kinds())
                .isEqualTo(SimTaskKinds.all());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "|own.json: the whole is  but must be an object",
                "[]|own.json: the whole is [] but must be an object",
                "{\"name\": \"own\", }|own.json, line 1: is not JSON (Unexpected character",
                "{\"name\": \"own\", \"name\": \"own\"}|own.json, line 1: is not JSON (Duplicate field 'name')",
                "{\"curves\": {}}|own.json: name is missing",
                "{\"name\": \"my own\", \"curves\": {}}|own.json: name is \"my own\" but must be 1 to 60 of a-z, 0-9, - and _",
                "{\"name\": \"none\", \"curves\": {}}|own.json: name is \"none\" but must be another name than that of a world that is built in",
                "{\"name\": \"own\"}|own.json: one of slowdowns and curves must be there, and not both",
                "{\"name\": \"own\", \"curve\": {}}|own.json: curve is not known; known are curves, describes, kinds, name, node_sizes, remote_read, slowdowns",
                "{\"name\": \"own\", \"curves\": {\"gpu\": []}}|own.json: curves.gpu is not known; known are cpu, disk, network, memory_bandwidth, cache",
                "{\"name\": \"own\", \"curves\": {\"cpu\": []}}|own.json: curves.cpu is [] but must be a list of one point at least",
                "{\"name\": \"own\", \"curves\": {\"cpu\": [[0.5]]}}|own.json: curves.cpu[0] is [0.5] but must be a pressure and a slowdown",
                "{\"name\": \"own\", \"curves\": {\"cpu\": [[0.5, 0.9]]}}|own.json: curves.cpu[0][1] is 0.9 but must be a number from 1 to 1000",
                "{\"name\": \"own\", \"curves\": {\"cpu\": [[0.5, 2], [0.4, 3]]}}|own.json: curves.cpu[1] is [0.4,3] but must be of a higher pressure",
                "{\"name\": \"own\", \"curves\": {}, \"remote_read\": -1}|own.json: remote_read is -1 but must be a number from 0 to 10",
                "{\"name\": \"own\", \"curves\": {}, \"node_sizes\": [1, 20]}|own.json: node_sizes[1] is 20 but must be a number from 0.1 to 10",
                "{\"name\": \"own\", \"curves\": {}, \"node_sizes\": [1, 2]}|own.json: node_sizes is [1,2] but must be a list of sizes that are 1 on average",
                "{\"name\": \"own\", \"curves\": {}, \"node_sizes\": []}|own.json: node_sizes is [] but must be a list of sizes that are 1 on average",
                "{\"name\": \"own\", \"kinds\": {\"a\": {}}, \"slowdowns\": {\"a\": {\"a\": 1}}, \"node_sizes\": [1]}|own.json: node_sizes belongs to curves, and there are none",
                "{\"name\": \"own\", \"kinds\": {}, \"curves\": {}}|own.json: kinds has 0 kinds but must have 1 to 200",
                "{\"name\": \"own\", \"kinds\": {\"A\": {}}, \"curves\": {}}|own.json: kinds.A must be named by 1 to 60 of a-z, 0-9, - and _",
                "{\"name\": \"own\", \"kinds\": {\"a\": {\"cpu\": 99}}, \"curves\": {}}|own.json: kinds.a.cpu is 99 but must be a number from 0 to 1",
                "{\"name\": \"own\", \"kinds\": {\"a\": 1}, \"curves\": {}}|own.json: kinds.a is 1 but must be an object",
                "{\"name\": \"own\", \"kinds\": {\"a\": {\"sensitivity\": {}}}, \"slowdowns\": {\"a\": {\"a\": 1}}}|own.json: kinds.a.sensitivity belongs to curves, and there are none",
                "{\"name\": \"own\", \"kinds\": {\"a\": {}}, \"slowdowns\": {}}|own.json: slowdowns.a is missing",
                "{\"name\": \"own\", \"kinds\": {\"a\": {}}, \"slowdowns\": {\"a\": {}}}|own.json: slowdowns.a.a is missing: each kind must have a slowdown beside each, itself too",
                "{\"name\": \"own\", \"kinds\": {\"a\": {}}, \"slowdowns\": {\"a\": {\"a\": \"2\"}}}|own.json: slowdowns.a.a is \"2\" but must be a number from 1 to 1000",
                "{\"name\": \"own\", \"kinds\": {\"a\": {}}, \"slowdowns\": {\"a\": {\"a\": 1, \"a+c\": 2}}}|own.json: slowdowns.a.a+c must be kinds with + between them; there are a",
                "{\"name\": \"own\", \"kinds\": {\"a\": {}}, \"slowdowns\": {\"b\": {}}}|own.json: slowdowns.b is not known; known are a",
            })
    void whatDescribesNoWorldIsRefusedInOneSentence(String text, String sentence) {
        assertThatExceptionOfType(WorldFileException.class)
                .isThrownBy(() -> WorldFile.parse("own.json", text == null ? "" : text))
                .satisfies(refusal -> assertThat(refusal.getMessage())
                        .startsWith(sentence)
                        .doesNotContain("\n")
                        .doesNotContain("Exception")
                        .hasSizeLessThan(300));
    }

    @Test
    void nodesHaveTheSizesThatAreSaidInTurn() throws WorldFileException {
        World world = WorldFile.parse("own.json", "{\"name\": \"own\", \"curves\": {}, \"node_sizes\": [0.5, 1.5, 1]}")
                .world();

        assertThat(Stream.of(0, 1, 2, 3).map(node -> world.sizes().slots(node, 4)))
                .containsExactly(2, 6, 4, 2);
    }

    @Test
    void companyInTwoOrdersIsRefused() {
        assertThatExceptionOfType(WorldFileException.class)
                .isThrownBy(
                        () -> WorldFile.parse("own.json", TABLE.replace("\"a+b\": 1.4", "\"a+b\": 1.4, \"b+a\": 1.4")))
                .withMessage("own.json: slowdowns.a.b+a is there twice, the neighbours in another order");
    }

    @Test
    void whatIsNotThereIsSaid(@TempDir Path folder) {
        assertThatExceptionOfType(WorldFileException.class)
                .isThrownBy(() -> WorldFile.read(folder.resolve("none.json")))
                .withMessageEndingWith("none.json is not there");
        assertThatExceptionOfType(WorldFileException.class)
                .isThrownBy(() -> WorldFile.read(folder))
                .withMessageEndingWith(" cannot be read as a text");
    }

    /** The factors of the code and those of the example are the same, wherever one presses on one resource alone. */
    @Test
    void thePublishedWorldHasThePublishedFactors() throws WorldFileException {
        GroundTruth truth =
                WorldFile.read(Path.of("worlds/published.json")).world().truth();
        SimTaskKind all = new SimTaskKind(
                "victim",
                Map.of(
                        SharedResource.CPU,
                        1.0,
                        SharedResource.DISK,
                        1.0,
                        SharedResource.NETWORK,
                        1.0,
                        SharedResource.MEMORY_BANDWIDTH,
                        1.0,
                        SharedResource.CACHE,
                        1.0));
        for (DegradationTable.Row row : DegradationTable.PUBLISHED.rows()) {
            for (double pressure : new double[] {0.05, 0.105, 0.2, 0.355, 0.755, 1}) {
                SimTaskKind presses = new SimTaskKind("presses", Map.of(resource(row.signal()), pressure));
                double factor = DegradationTable.PUBLISHED.factor(
                        new InterferenceVector(Map.of(row.signal(), pressure)), row.signal());

                assertThat(truth.slowdowns(List.of(new Load("v", all, 0), new Load("p", presses, 0)))[0])
                        .as("%s at %s", row.signal(), pressure)
                        .isCloseTo(factor, NOISE);
            }
        }
    }

    @Test
    void theMeasuredWorldSlowsADiskReaderByTheDiskAlone() throws WorldFileException {
        UserWorld measured = WorldFile.read(Path.of("worlds/corun.json"));
        List<String> names = measured.kinds().stream().map(SimTaskKind::name).toList();

        assertThat(names).contains("disk-random", "cpu-integer", "network-stream");
        assertThat(slowdown(measured, "cpu-integer", "cpu-matrix")).isBetween(1.8, 2.2);
        assertThat(slowdown(measured, "cpu-integer", "network-stream")).isBetween(1.0, 1.1);
    }

    private static SharedResource resource(Signal signal) {
        return switch (signal) {
            case CPU -> SharedResource.CPU;
            case BLK -> SharedResource.DISK;
            case NETP -> SharedResource.NETWORK;
            case MBW -> SharedResource.MEMORY_BANDWIDTH;
            case LLOCC -> SharedResource.CACHE;
            default -> throw new IllegalArgumentException(signal.wireName());
        };
    }

    private static double slowdown(String text, String kind, String... others) throws WorldFileException {
        return slowdown(WorldFile.parse("own.json", text), kind, others);
    }

    private static double slowdown(UserWorld world, String kind, String... others) {
        List<Load> together = Stream.concat(Stream.of(kind), Arrays.stream(others))
                .map(name -> new Load(
                        name,
                        world.kinds().stream()
                                .filter(one -> one.name().equals(name))
                                .findFirst()
                                .orElseThrow(),
                        0))
                .toList();
        return world.world().truth().slowdowns(together)[0];
    }
}
