package org.interference.yarn.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command weights. */
class WeightsTest {
    private final Program program = new Program();

    @TempDir
    private Path folder;

    /** The table prints 0.149, 0.273 and 0.578; its 1/3 is 0.3 in them. */
    @Test
    void thePublishedTablesWeightsAreFound() throws PairedComparisons.Refused {
        Map<String, Double> weights =
                PairedComparisons.weights(List.of("ServType ResType 2", "StartTime ResType 3", "StartTime ServType 3"));

        assertThat(weights.get("ResType")).isCloseTo(0.149, within(0.003));
        assertThat(weights.get("ServType")).isCloseTo(0.273, within(0.003));
        assertThat(weights.get("StartTime")).isCloseTo(0.578, within(0.003));
        // Rows of 1 + 0.5 + 0.3, 2 + 1 + 0.3 and 3 + 3 + 1, as printed.
        assertThat(List.of(1.8 / 12.1, 3.3 / 12.1, 7 / 12.1))
                .zipSatisfy(List.of(0.149, 0.273, 0.578), (ours, printed) -> assertThat(ours)
                        .isCloseTo(printed, within(0.0006)));
    }

    @Test
    void thePublishedServicesValueIsFound() throws IOException {
        assertThat(run(
                        "ServType ResType 2\nStartTime ResType 3 # a comment\n\nServType StartTime 1/3\n",
                        "--of",
                        "ResType=2,ServType=1,StartTime=1"))
                .isZero();

        // 1.149 in the text, with its rounded weights.
        assertThat(program.out()).isEqualTo("""
                NAME       WEIGHT  SENSITIVITY
                ServType    0.274         0.82
                ResType     0.151         0.45
                StartTime   0.575         1.73
                Weighted sum: 1.151
                """);
    }

    @Test
    void queuesGetTheirSetting() throws IOException {
        assertThat(run("root.web root.etl 4\nroot.web root.adhoc 8\nroot.etl root.adhoc 2\n"))
                .isZero();

        assertThat(program.out())
                .endsWith("yarn.interference.place.queue-sensitivity=root.web=2.18,root.etl=0.55,root.adhoc=0.27\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|It compares 0 attributes but must compare from 2 to 100",
                "a b|Line 1 is 'a b' but must be two names",
                "a=1 b 2|Line 1 is 'a=1 b 2' but must be two names",
                "a a 2|Line 1 compares a with itself",
                "a b 0|Line 1 has '0' but must have a number or a fraction from 1/1000 to 1000",
                "a b -1|Line 1 has '-1' but must have",
                "a b 1/0|Line 1 has '1/0' but must have",
                "a b NaN|Line 1 has 'NaN' but must have",
                "a b 2;b a 1/2|Line 2 compares b and a once more",
                "a b 2;a c 2|b and c are not compared, and every pair must be",
                "a b 2;b c 2;c a 2|a is at least as important as b and that as c, which is said to be more important than a",
                "a b 1;b c 1;c a 2|which is said to be more important than",
            })
    void aBadTableIsRefusedWithASentence(String lines, String sentence) throws IOException {
        assertThat(run(lines.replace(';', '\n'))).isEqualTo(2);

        assertThat(program.out()).isEmpty();
        assertThat(program.err()).contains(sentence).hasLineCount(1);
    }

    @Test
    void valuesMustBeOfWhatIsCompared() throws IOException {
        assertThat(run("a b 2", "--of", "a=1,c=2")).isEqualTo(2);
        assertThat(program.err()).contains("--of must have a value for each of a, b and for nothing else");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        assertThat(program.run("weights", folder.resolve("none").toString())).isEqualTo(2);
        assertThat(program.err()).contains("cannot be read (there is no such file)");
    }

    /** Where importances are consistent, which is more important weighs more, whatever the order of the lines. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whatIsMoreImportantWeighsMore(long seed) throws PairedComparisons.Refused {
        Random random = new Random(seed);
        int count = 2 + random.nextInt(8);
        double[] importance = random.doubles(count, 1, 10).toArray();
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            for (int j = 0; j < i; j++) {
                lines.add("n%d n%d %.9f".formatted(i, j, importance[i] / importance[j]));
            }
        }
        Collections.shuffle(lines, random);

        Map<String, Double> weights = PairedComparisons.weights(lines);

        assertThat(weights.values().stream().mapToDouble(weight -> weight).sum())
                .isCloseTo(1, within(1e-9));
        double all = Arrays.stream(importance).sum();
        for (int i = 0; i < count; i++) {
            assertThat(weights.get("n" + i)).isCloseTo(importance[i] / all, within(1e-6));
        }
    }

    private int run(String lines, String... options) throws IOException {
        Path file = Files.writeString(folder.resolve("pairs.txt"), lines);
        List<String> arguments = new ArrayList<>(List.of("weights", file.toString()));
        arguments.addAll(List.of(options));
        return program.run(arguments.toArray(String[]::new));
    }
}
