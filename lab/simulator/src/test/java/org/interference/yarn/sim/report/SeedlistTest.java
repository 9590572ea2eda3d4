package org.interference.yarn.sim.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeedlistTest {
    private static final Path DIRECTORY = Path.of("../../docs/simulation");

    @Test
    void thereAreThirtySeedsNoneOfThemTwiceOrUsedBefore() throws IOException {
        List<Long> seeds = Seedlist.read(DIRECTORY.resolve("seeds.txt"));

        assertThat(seeds).hasSize(30).doesNotHaveDuplicates();
        assertThat(seeds).doesNotContainAnyElementsOf(ReportPlan.TRAINING_SEEDS);
        assertThat(seeds).doesNotContainAnyElementsOf(Plans.reduced().seeds());
        for (int past = 0; past < ReportPlan.PASTS; past++) {
            assertThat(seeds)
                    .doesNotContainAnyElementsOf(ReportPlan.trainingSeeds(past, Collections.max(LongHistory.PATTERNS)));
        }
    }
}
