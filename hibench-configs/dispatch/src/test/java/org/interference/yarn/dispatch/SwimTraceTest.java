package org.interference.yarn.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SwimTraceTest {
    /** The first lines of SWIM's sample. */
    private static final String SAMPLE = """
            job0\t49\t49\t740773\t2339561\t627471
            job1\t101\t52\t736346\t1700537\t432269
            job2\t122\t21\t267631\t594312\t233549
            job3\t197\t75\t232889\t30\t0
            """;

    @Test
    void submissionsKeepTheirDistancesTimesTheFactor() throws InputException {
        assertThat(replay(0.5, 1, Optional.empty()).stream()
                        .map(submission -> submission.at().toMillis()))
                .containsExactly(0L, 26_000L, 36_500L, 74_000L);
    }

    @Test
    void sizesAreScaledAndTheKindIsNot() throws InputException {
        Submission first = replay(1, 0.1, Optional.empty()).get(0);

        assertThat(first.job().arguments()).containsExactly("${input}", "${output}", "74077", "233956", "62747");
        assertThat(first.job().workload())
                .isEqualTo("swim-i6-s7-o6")
                .isEqualTo(replay(1, 1, Optional.empty()).get(0).job().workload());
    }

    @Test
    void theFirstJobsCanBeTakenAlone() throws InputException {
        assertThat(replay(1, 1, Optional.of(2))).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a,1,1,1,1|has 5 fields between tabs but must have 6: job, submitted s, gap s, input bytes, shuffle bytes, output bytes",
                "a,-1,1,1,1,1|submitted is '-1' but must be a whole number from 0 to 3162240000",
                "a,1,1,9223372036854775807,1,1|input bytes is '9223372036854775807' but must be a whole number from 0 to"
                        + " 2305843009213693951",
                "a,1,1,1,x,1|shuffle bytes is 'x' but must be a whole number from 0 to 2305843009213693951"
            })
    void whatIsWrongIsSaidInOneSentenceWithTheLine(String line, String sentence) {
        assertThatExceptionOfType(InputException.class)
                .isThrownBy(() ->
                        SwimTrace.replay(List.of(line.replace(',', '\t')), "file", 1, 1, Optional.empty(), "text"))
                .withMessage("file, line 1: %s", sentence);
    }

    @Test
    void damagedTracesAreReadOrRefusedInOneSentence() {
        Fuzz.parse(SAMPLE, 20_000, lines -> SwimTrace.replay(lines, "file", 0.1, 1000, Optional.empty(), "text"));
    }

    private static List<Submission> replay(double time, double bytes, Optional<Integer> most) throws InputException {
        return SwimTrace.replay(SAMPLE.lines().toList(), "file", time, bytes, most, "text");
    }
}
