package org.interference.yarn.sim.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.interference.yarn.sim.engine.ClusterShape;
import org.interference.yarn.sim.workload.Patterns;
import org.junit.jupiter.api.Test;

class QualityJsonTest {
    private static final List<Long> SEEDS = List.of(1L, 2L, 3L);
    private static final Comparison COMPARISON = new Comparison(
            "100", "curves", Comparison.Roles.FAIR, Patterns.all().get(0), new ClusterShape(100, 4), SEEDS);

    @Test
    void gainsAndGapsArePairedBySeed() throws Exception {
        JsonNode heavy = json(runs(new double[][] {{100, 200, 400}, {100, 200, 400}, {90, 200, 320}, {80, 100, 160}}));

        JsonNode gain = heavy.get("makespan_gain_vs_parent");
        assertThat(gain.get("mean").asDouble()).isEqualTo(10);
        assertThat(gain.get("worst").asDouble()).isEqualTo(0);
        assertThat(gain.get("seeds").asInt()).isEqualTo(3);
        // Student's t of 2 degrees of freedom times the standard error of 10, 0 and 20.
        assertThat(gain.get("high").asDouble()).isEqualTo(10 + 4.303 * 10 / Math.sqrt(3), within(0.01));
        JsonNode gap = heavy.get("makespan_gap_to_clairvoyant");
        assertThat(gap.get("mean").asDouble()).isEqualTo((12.5 + 100 + 100) / 3, within(0.001));
        assertThat(gap.get("worst").asDouble()).isEqualTo(100);
    }

    @Test
    void theFractionIsOfWhatTheGreedyOneGainsOverThePlacebo() throws Exception {
        JsonNode heavy = json(runs(new double[][] {{100, 100, 100}, {102, 98, 100}, {91, 89, 90}, {81, 79, 80}}));

        JsonNode captured = heavy.get("captured_fraction").get("slowdown");
        assertThat(captured.get("mean").asDouble()).isEqualTo(0.5);
        assertThat(captured.get("low").asDouble()).isBetween(0.4, 0.5);
    }

    @Test
    void thereIsNoFractionWhereKnowingEverythingGainsNothingClear() throws Exception {
        JsonNode heavy = json(runs(new double[][] {{100, 100, 100}, {100, 100, 100}, {99, 99, 99}, {90, 110, 99}}));

        assertThat(heavy.get("captured_fraction").get("makespan").get("mean").isNull())
                .isTrue();
    }

    @Test
    void aSeedOfWhichARunIsMissingIsLeftOut() throws Exception {
        List<String> lines = runs(new double[][] {{100, 100, 100}, {100, 100, 100}, {50, 90, 80}, {90, 90, 90}});

        JsonNode gain = json(lines.subList(1, lines.size())).get("makespan_gain_vs_parent");

        assertThat(gain.get("seeds").asInt()).isEqualTo(2);
        assertThat(gain.get("mean").asDouble()).isEqualTo(15);
        assertThat(json(lines.subList(2, lines.size()))).isNull();
    }

    private static JsonNode json(List<String> lines) throws Exception {
        String text = QualityJson.of(List.of(COMPARISON), Runs.ofLines(lines), "c", "m", LocalDate.EPOCH);
        JsonNode regimes = new ObjectMapper().readTree(text).get("results").path("100");
        assertThat(regimes.has("mild")).isFalse();
        return regimes.get("heavy");
    }

    /** Returns the runs of the heavy world; every metric of a run is the same number. */
    private static List<String> runs(double[][] byRole) {
        List<String> lines = new ArrayList<>();
        for (int role = 0; role < byRole.length; role++) {
            for (int seed = 0; seed < SEEDS.size(); seed++) {
                String policy = COMPARISON.roles().inOrder().get(role);
                String values = "\t" + byRole[role][seed];
                lines.add("100\tcurves-heavy\t%s\t%d".formatted(policy, SEEDS.get(seed)) + values.repeat(13));
            }
        }
        return lines;
    }
}
