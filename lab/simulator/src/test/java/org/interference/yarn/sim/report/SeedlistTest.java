package org.interference.yarn.sim.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class SeedlistTest {
    private static final Path DIRECTORY = Path.of("../../docs/simulation");

    @Test
    void theSeedsHaveTheHashThatWasCommittedBeforeThem() throws IOException, NoSuchAlgorithmException {
        byte[] seeds = Files.readAllBytes(DIRECTORY.resolve("seeds.txt"));
        String committed = Files.readString(DIRECTORY.resolve("seeds.sha256"), StandardCharsets.UTF_8);

        byte[] hash = MessageDigest.getInstance("SHA-256").digest(seeds);

        assertThat(committed).startsWith(HexFormat.of().formatHex(hash));
    }

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
