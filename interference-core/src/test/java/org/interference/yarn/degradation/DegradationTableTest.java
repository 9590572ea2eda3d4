package org.interference.yarn.degradation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DegradationTableTest {
    static List<Long> seeds() {
        return new Random(20261126).longs(50).boxed().toList();
    }

    @Test
    void publishedTableIsReadByItsName() {
        assertThat(DegradationTable.parse(" published ")).isSameAs(DegradationTable.PUBLISHED);
    }

    @Test
    void resourceThatIsNotNamedKeepsWhatWasPublished() {
        DegradationTable table = DegradationTable.parse("blk = 1.5 / 2 / 4 , cpu=1/1/1");

        assertThat(row(table, Signal.BLK)).isEqualTo(new DegradationTable.Row(Signal.BLK, 1.5, 2, 4));
        assertThat(row(table, Signal.CPU).factor(0.755)).isEqualTo(1);
        for (Signal signal : List.of(Signal.MBW, Signal.LLOCC, Signal.NETP)) {
            assertThat(row(table, signal)).isEqualTo(row(DegradationTable.PUBLISHED, signal));
        }
        assertThat(table.rows())
                .extracting(DegradationTable.Row::signal)
                .containsExactlyElementsOf(DegradationTable.PUBLISHED.rows().stream()
                        .map(DegradationTable.Row::signal)
                        .toList());
    }

    /** The text is that of lab/benchmarks/corun/factors_test.py. */
    @Test
    void whatTheProgramWritesIsRead() {
        assertThat(row(DegradationTable.parse("cpu=1/1.235/2"), Signal.CPU))
                .isEqualTo(new DegradationTable.Row(Signal.CPU, 1, 1.235, 2));
    }

    /** What is stored beside a model must be what it was trained with, to the last bit. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void tableIsReadAsItWasWritten(long seed) {
        Random random = new Random(seed);
        DegradationTable table = DegradationTable.parse(DegradationTable.PUBLISHED.rows().stream()
                .filter(row -> random.nextBoolean() || row.signal() == Signal.CPU)
                .map(row -> {
                    double low = 1 + random.nextDouble();
                    double moderate = low + random.nextDouble();
                    return new DegradationTable.Row(row.signal(), low, moderate, moderate + random.nextDouble())
                            .toString();
                })
                .collect(Collectors.joining(",")));

        assertThat(DegradationTable.parse(table.toString())).isEqualTo(table);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Published",
                "cpu",
                "cpu=1.1/1.2",
                "cpu=1.1/1.2/1.3/1.4",
                "cpu=1.1/1.2/1.3,",
                "cpu=1.1/1.2/1.3,cpu=1.1/1.2/1.3", // which of them?
                "mem=1.1/1.2/1.3", // a signal that the published table has no row of
                "cpu=0.9/1.2/1.3", // neighbours that help
                "cpu=1.3/1.2/1.4", // one more neighbour that helps
                "cpu=1.1/1.2/NaN",
                "cpu=1.1/1.2/Infinity",
                "cpu=1.1/1.2/1e9",
                "cpu=one/two/three",
                "cpu=1.1=1.2/1.3/1.4",
            })
    void textThatIsNoTableIsRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> DegradationTable.parse(text));
    }

    private static DegradationTable.Row row(DegradationTable table, Signal signal) {
        return table.rows().stream()
                .filter(row -> row.signal() == signal)
                .findFirst()
                .orElseThrow();
    }
}
