package org.interference.yarn.sim.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunLengthListTest {
    @ParameterizedTest
    @CsvSource({"3, 2", "0, 2", "3, 0", "1, 1", "0, 0"})
    void itIsTheListOfItsElements(int times, int moreTimes) {
        List<String> expected = new ArrayList<>(Collections.nCopies(times, "a"));
        expected.addAll(Collections.nCopies(moreTimes, "b"));

        RunLengthList<String> runs = RunLengthList.of("a", times, "b", moreTimes);

        assertThat(runs).isEqualTo(expected);
        assertThat(RunLengthList.map(runs, String::toUpperCase))
                .isEqualTo(expected.stream().map(String::toUpperCase).toList());
        assertThat(RunLengthList.values(runs)).containsAll(expected);
        assertThat(RunLengthList.copyOf(runs)).isSameAs(runs);
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> runs.get(times + moreTimes));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> runs.get(-1));
    }
}
