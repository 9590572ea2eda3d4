package org.interference.yarn.sim.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.interference.yarn.sim.engine.ClusterShape;
import org.interference.yarn.sim.policy.Policies;
import org.interference.yarn.sim.workload.Patterns;
import org.interference.yarn.sim.world.Worlds;
import org.junit.jupiter.api.Test;

class LongHistoryTest {
    private static final ReportPlan MAIN = new ReportPlan(
            "some",
            List.of(Worlds.named("curves-heavy"), Worlds.named("water-mild")),
            List.of(Policies.named("fair")),
            Patterns.all().get(0),
            new ClusterShape(2, 4),
            List.of(1L, 2L));

    @Test
    void everyLengthHasItsRunsAndIsComparedWithThePlaceboOfTheSameHistory() {
        Runs runs = Runs.ofLines(List.of());
        List<String> lines = new ArrayList<>();

        new LongHistory(MAIN).complete(runs, 0, 1, lines::add);
        JsonNode histories = new LongHistory(MAIN).json(runs);

        assertThat(lines).as("lengths, policies and seeds of one world").hasSize(2 * 5 * 2);
        assertThat(histories.properties())
                .extracting(Map.Entry::getKey)
                .containsExactly("after_5_patterns", "after_20_patterns");
        for (JsonNode worlds : histories) {
            assertThat(worlds.properties()).extracting(Map.Entry::getKey).containsExactly("heavy");
            assertThat(worlds.path("heavy").path("captured_fraction").isObject())
                    .isTrue();
            assertThat(worlds.path("heavy").path("failed_jobs").asInt(-1)).isZero();
        }
        assertThat(warm(lines, 5)).as("a longer history is another").isNotEqualTo(warm(lines, 20));
        assertThat(stock(lines, 5)).isEqualTo(stock(lines, 20));
    }

    private static List<String> warm(List<String> lines, int patterns) {
        return of("ours-fair", lines, patterns);
    }

    private static List<String> stock(List<String> lines, int patterns) {
        return of("fair", lines, patterns);
    }

    private static List<String> of(String policy, List<String> lines, int patterns) {
        String plan = "History: %d patterns\t".formatted(patterns);
        return lines.stream()
                .filter(line -> line.startsWith(plan) && line.contains("\t" + policy + "\t"))
                .map(line -> line.substring(plan.length()))
                .toList();
    }

    @Test
    void aWorldWithoutItsRunsIsLeftOut() {
        assertThat(new LongHistory(MAIN).json(Runs.ofLines(List.of())))
                .allSatisfy(worlds -> assertThat(worlds).isEmpty());
    }

    @Test
    void aLongerPastBeginsAsTheReportsAndSharesNothingWithAnother() {
        int longest = LongHistory.PATTERNS.get(LongHistory.PATTERNS.size() - 1);
        for (int past = 0; past < ReportPlan.PASTS; past++) {
            List<Long> seeds = ReportPlan.trainingSeeds(past, longest);
            assertThat(ReportPlan.trainingSeeds(past)).isEqualTo(seeds.subList(0, 3));
            if (past > 0) {
                assertThat(seeds).doesNotContainAnyElementsOf(ReportPlan.trainingSeeds(past - 1, longest));
            }
        }
    }
}
