package org.interference.yarn.sim.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.interference.yarn.sim.engine.ClusterShape;
import org.interference.yarn.sim.policy.Policies;
import org.interference.yarn.sim.workload.Patterns;
import org.interference.yarn.sim.world.Worlds;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AblationTest {
    private static final ReportPlan MAIN = new ReportPlan(
            "some",
            List.of(Worlds.named("water-heavy"), Worlds.named("water-mild")),
            Stream.of("fair", "ours-fair", "greedy-match", "greedy-leave")
                    .map(Policies::named)
                    .toList(),
            Patterns.all().get(0),
            new ClusterShape(2, 4),
            List.of(1L));

    private static final List<String> LINES = new ArrayList<>();

    @BeforeAll
    static void run() {
        Runs.ofLines(List.of()).complete(MAIN, 0, 1, LINES::add);
    }

    @Test
    void everyRungHasItsRunsAndThoseOfTheReportAreNotRunAgain() {
        Runs runs = Runs.ofLines(LINES);
        List<String> lines = new ArrayList<>();

        new Ablation(MAIN).complete(runs, 0, 1, lines::add);
        JsonNode worlds = new Ablation(MAIN).json(runs);

        assertThat(lines)
                .as("the rungs that the report has not")
                .hasSize(2)
                .allMatch(line -> line.startsWith("Ablation: "));
        assertThat(worlds.properties()).extracting(Map.Entry::getKey).containsExactly("water-heavy");
        assertThat(worlds.path("water-heavy").properties())
                .extracting(Map.Entry::getKey)
                .containsExactly(
                        "as it is",
                        "exact counters",
                        "exact counters, profiles of tasks alone",
                        "true slowdowns",
                        "true slowdowns, leaving");
        double fair = runs.cell(MAIN, "water-heavy", "fair").get(0).makespan();
        double ours = runs.cell(MAIN, "water-heavy", "ours-fair").get(0).makespan();
        assertThat(worlds.path("water-heavy")
                        .path("as it is")
                        .path("makespan_gain_vs_fair")
                        .path("mean")
                        .asDouble())
                .isEqualTo((fair - ours) / fair, within(1e-4));
    }

    @Test
    void aRungWhoseRunsAreNotThereIsLeftOut() {
        JsonNode ladder = new Ablation(MAIN).json(Runs.ofLines(LINES)).path("water-heavy");

        assertThat(ladder.properties())
                .extracting(Map.Entry::getKey)
                .containsExactly("as it is", "true slowdowns", "true slowdowns, leaving");
    }
}
