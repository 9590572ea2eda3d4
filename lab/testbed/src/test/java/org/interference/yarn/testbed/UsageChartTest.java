package org.interference.yarn.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class UsageChartTest {
    @Test
    void aRunThatHasEndedUsesNothingAnyMore() {
        // Moments at 2, 4 and 6 s, a bin is five seconds.
        List<RunResult> runs = List.of(MadeUpRuns.of("fair", 1, 10), MadeUpRuns.of("fair", 2, 10));

        assertThat(UsageChart.means(runs, 14, ClusterUsage::slots)).containsExactly(0.75, 0.5, 0);
    }

    @Test
    void everyPolicyThatHasRunIsDrawn() {
        String drawing =
                UsageChart.of(Mix.CONTENDED, List.of(MadeUpRuns.of("fair", 1, 10), MadeUpRuns.of("ours-warm", 1, 10)));

        assertThat(drawing).contains("fair, 1 runs", "ours-warm, 1 runs").doesNotContain("placebo");
        assertThat(drawing.split("<polyline", -1)).hasSize(1 + 2 * 2);
    }
}
