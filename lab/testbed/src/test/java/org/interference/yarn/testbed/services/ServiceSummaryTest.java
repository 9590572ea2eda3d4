package org.interference.yarn.testbed.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceSummaryTest {
    private static final double EXACT = 1e-9;

    /** Two tiers, of 100 and 300 ms under the planner's plan; half as much again under the others'. */
    private static List<ServiceResult> run(PlannedBy plan, int repetition, double factor) {
        return List.of(
                new ServiceResult("case1", plan, repetition, 1.5, "tier-1", 90, 100 * factor, 120 * factor),
                new ServiceResult("case1", plan, repetition, 1.5, "tier-3", 10, 300 * factor, 320 * factor));
    }

    @Test
    void aGainIsOfTheMeanOverTiersNotOverRequests() {
        List<ServiceResult> results = new ArrayList<>(run(PlannedBy.BOTH, 1, 1));
        results.addAll(run(PlannedBy.AFFINITY, 1, 1.25));

        ObjectNode summary = ServiceSummary.of(results);

        assertThat(summary.at("/case1/response_ms/both/mean").asDouble()).isCloseTo(200, within(EXACT));
        assertThat(summary.at("/case1/gain_over_affinity_only/mean").asDouble()).isCloseTo(0.2, within(EXACT));
        assertThat(summary.at("/case1").has("gain_over_interference_only")).isFalse();
    }

    @Test
    void gainsArePairedByRepetition() {
        List<ServiceResult> results = new ArrayList<>();
        // The machine is three times as slow in the second; what only one plan has run is in no pair.
        results.addAll(run(PlannedBy.BOTH, 1, 1));
        results.addAll(run(PlannedBy.INTERFERENCE, 1, 2));
        results.addAll(run(PlannedBy.BOTH, 2, 3));
        results.addAll(run(PlannedBy.INTERFERENCE, 2, 6));
        results.addAll(run(PlannedBy.INTERFERENCE, 3, 99));

        ObjectNode gain = (ObjectNode) ServiceSummary.of(results).at("/case1/gain_over_interference_only");

        assertThat(gain.path("mean").asDouble()).isCloseTo(0.5, within(EXACT));
        assertThat(gain.path("low").asDouble()).isCloseTo(0.5, within(EXACT));
        assertThat(gain.path("repetitions").asInt()).isEqualTo(2);
    }

    @Test
    void whatIsWrittenIsRead(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("runs.tsv");
        assertThat(ServiceResult.read(file)).isEmpty();

        ServiceResult.append(file, run(PlannedBy.BOTH, 1, 1));
        ServiceResult.append(file, run(PlannedBy.AFFINITY, 1, 1.5));

        List<ServiceResult> written = new ArrayList<>(run(PlannedBy.BOTH, 1, 1));
        written.addAll(run(PlannedBy.AFFINITY, 1, 1.5));
        assertThat(ServiceResult.read(file)).isEqualTo(written);
    }
}
