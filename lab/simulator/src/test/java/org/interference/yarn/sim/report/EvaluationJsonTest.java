package org.interference.yarn.sim.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.interference.yarn.sim.engine.ClusterShape;
import org.interference.yarn.sim.policy.Policies;
import org.interference.yarn.sim.workload.Patterns;
import org.interference.yarn.sim.world.Worlds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EvaluationJsonTest {
    private static final ReportPlan PLAN = new ReportPlan(
            "some",
            List.of(Worlds.named("curves-heavy"), Worlds.named("water-heavy")),
            List.of("fair", "capacity", "placebo-match", "ours-fair", "greedy-leave").stream()
                    .map(Policies::named)
                    .toList(),
            Patterns.all().get(0),
            new ClusterShape(8, 4),
            List.of(1L, 2L));

    @TempDir
    private Path folder;

    @Test
    void figuresAreFractionsOfTheOthersOfTheSameSeed() {
        ObjectNode worlds = EvaluationJson.of(
                PLAN,
                runs(Map.of(
                        "fair", new double[] {100, 200},
                        "capacity", new double[] {80, 160},
                        "placebo-match", new double[] {90, 180},
                        "ours-fair", new double[] {60, 160},
                        "greedy-leave", new double[] {50, 100})));

        assertThat(worlds.properties()).extracting(Map.Entry::getKey).containsExactly("heavy", "water-heavy");
        JsonNode heavy = worlds.path("heavy");
        assertThat(mean(heavy, "makespan_gain_vs_fair")).isEqualTo((0.4 + 0.2) / 2, within(1e-9));
        assertThat(mean(heavy, "makespan_gain_vs_capacity")).isEqualTo((0.25 + 0) / 2, within(1e-9));
        assertThat(mean(heavy, "density_gain_vs_fair"))
                .as("less of it, so that it is a loss")
                .isEqualTo(-0.3, within(1e-9));
        assertThat(mean(heavy, "captured_fraction")).isEqualTo((270 - 220) / (270 - 150.0), within(1e-4));
        assertThat(mean(heavy, "regret_vs_clairvoyant")).isEqualTo((0.2 + 0.6) / 2, within(1e-9));
        assertThat(heavy.path("makespan_gain_vs_fair").path("seeds").asInt()).isEqualTo(2);
    }

    @Test
    void whereNothingCanBeHadThereIsNoFractionOfIt() {
        double[] same = {100, 100};
        JsonNode captured = EvaluationJson.of(
                        PLAN,
                        runs(Map.of(
                                "fair", same,
                                "capacity", same,
                                "placebo-match", same,
                                "ours-fair", new double[] {90, 90},
                                "greedy-leave", same)))
                .path("heavy")
                .path("captured_fraction");

        assertThat(captured.path("mean").isNull()).isTrue();
        assertThat(captured.path("why").asText()).isNotEmpty();
    }

    /** Every metric of a run is one number, what shadow says and its half width among them. */
    @Test
    void whatShadowSaidIsHeldAgainstWhatOnThenSaved() {
        ReportPlan both = new ReportPlan(
                "some",
                PLAN.worlds(),
                List.of(
                                "fair",
                                "capacity",
                                "placebo-match",
                                "ours-fair",
                                "placebo-capacity",
                                "ours-capacity",
                                "shadow-fair",
                                "shadow-capacity",
                                "greedy-leave")
                        .stream()
                        .map(Policies::named)
                        .toList(),
                PLAN.pattern(),
                PLAN.shape(),
                PLAN.seeds());
        double[] stock = {100, 200};

        ObjectNode all = EvaluationJson.of(
                List.of(both),
                runs(Map.of(
                        "fair", stock,
                        "capacity", new double[] {80, 160},
                        "placebo-match", stock,
                        "placebo-capacity", new double[] {64, 128},
                        "ours-fair", new double[] {60, 60},
                        "ours-capacity", new double[] {40, 80},
                        "shadow-fair", stock,
                        "shadow-capacity", new double[] {10, 20},
                        "greedy-leave", new double[] {50, 50})));

        assertThat(mean(all.path("capacity").path("heavy"), "makespan_gain_vs_capacity"))
                .isEqualTo(0.5, within(1e-9));
        assertThat(mean(all.path("capacity").path("heavy"), "makespan_gain_vs_placebo"))
                .isEqualTo(0.375, within(1e-9));
        JsonNode fair = all.path("heavy").path("shadow");
        assertThat(fair.path("told").asDouble()).isEqualTo(300);
        assertThat(fair.path("half_width").asDouble()).isEqualTo(Math.hypot(100, 200), within(1e-3));
        assertThat(fair.path("happened").asDouble()).isEqualTo(180);
        assertThat(fair.path("within").asBoolean()).isTrue();
        JsonNode capacity = all.path("capacity").path("heavy").path("shadow");
        assertThat(capacity.path("happened").asDouble())
                .as("it made them longer")
                .isEqualTo(-90);
        assertThat(capacity.path("within").asBoolean()).isFalse();
        assertThat(all.path("shadow_saving_within_interval").asDouble()).isEqualTo(0.5);
    }

    @Test
    void runsOfAnotherVersionAreRefused() {
        assertThatThrownBy(() -> Runs.ofLines(List.of("some\tnone\tfair\t1" + "\t1.0".repeat(10))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--fresh");
    }

    @Test
    void aSectionReplacesItsOwnAndLeavesTheOthers() throws Exception {
        Path file = folder.resolve("proof.json");
        put(file, "simulation", 1, "bin/one");
        put(file, "testbed", 2, "bin/two");
        put(file, "simulation", 3, "bin/one");

        JsonNode root = new ObjectMapper().readTree(file.toFile());
        assertThat(root.path("name").asText()).isEqualTo("proof");
        assertThat(root.path("command").asText()).isEqualTo("bin/one; bin/two");
        assertThat(root.path("results").path("simulation").path("figure").asInt())
                .isEqualTo(3);
        assertThat(root.path("results").path("testbed").path("figure").asInt()).isEqualTo(2);
        assertThat(root.path("results")
                        .path("testbed")
                        .path("made")
                        .path("date")
                        .asText())
                .isEqualTo("day 2");
    }

    @Test
    void aPartReplacesItsOwnAndLeavesTheSectionsOthers() throws Exception {
        Path file = folder.resolve("proof.json");
        put(file, "simulation", 1, "bin/one");
        putPart(file, "contended", 2, "bin/two");
        putPart(file, "hibench", 3, "bin/three");
        putPart(file, "contended", 4, "bin/two");

        JsonNode root = new ObjectMapper().readTree(file.toFile());
        assertThat(root.path("command").asText()).isEqualTo("bin/one; bin/two; bin/three");
        assertThat(root.at("/results/simulation/figure").asInt()).isEqualTo(1);
        assertThat(root.at("/results/testbed/contended/figure").asInt()).isEqualTo(4);
        assertThat(root.at("/results/testbed/contended/made/date").asText()).isEqualTo("day 4");
        assertThat(root.at("/results/testbed/hibench/figure").asInt()).isEqualTo(3);
    }

    @Test
    void partsThatWereMadeAtOnceKeepHowWhenOneIsMadeAnew() throws Exception {
        Path file = folder.resolve("proof.json");
        ObjectNode both = JsonNodeFactory.instance.objectNode();
        both.putObject("contended").put("figure", 1);
        both.putObject("uncontended").put("figure", 1);
        EvaluationFile.put(file, "testbed", both, new EvaluationFile.Made("bin/both", "m", "day 1"));
        putPart(file, "contended", 2, "bin/one");

        JsonNode section = new ObjectMapper().readTree(file.toFile()).at("/results/testbed");
        assertThat(section.has("made")).isFalse();
        assertThat(section.at("/contended/made/command").asText()).isEqualTo("bin/one");
        assertThat(section.at("/uncontended/made/command").asText()).isEqualTo("bin/both");
    }

    private static void putPart(Path file, String part, int figure, String command) throws Exception {
        ObjectNode parts = JsonNodeFactory.instance.objectNode();
        parts.putObject(part).put("figure", figure);
        EvaluationFile.putParts(file, "testbed", parts, new EvaluationFile.Made(command, "m", "day " + figure));
    }

    private static void put(Path file, String section, int figure, String command) throws Exception {
        EvaluationFile.put(
                file,
                section,
                JsonNodeFactory.instance.objectNode().put("figure", figure),
                new EvaluationFile.Made(command, "m", "day " + figure));
    }

    private static double mean(JsonNode figures, String name) {
        return figures.path(name).path("mean").asDouble();
    }

    /** Returns runs that are the same in both worlds; every metric of a run is the same number. */
    private static Runs runs(Map<String, double[]> byPolicy) {
        List<String> lines = new ArrayList<>();
        byPolicy.forEach((policy, values) -> {
            for (int i = 0; i < values.length; i++) {
                for (String world : List.of("curves-heavy", "water-heavy")) {
                    lines.add("some\t%s\t%s\t%d"
                                    .formatted(world, policy, PLAN.seeds().get(i))
                            + ("\t" + values[i]).repeat(13));
                }
            }
        });
        return Runs.ofLines(lines);
    }
}
