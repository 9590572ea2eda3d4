package org.interference.yarn.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InterferenceVectorTest {
    @Test
    void absentSignalIsNotZero() {
        InterferenceVector vector = new InterferenceVector(Map.of(Signal.CPU, 0.0));

        assertThat(vector.level(Signal.CPU)).hasValue(0.0);
        assertThat(vector.level(Signal.MBW)).isEmpty();
    }

    @Test
    void vectorThatMeasuredZeroIsNotEmpty() {
        assertThat(new InterferenceVector(Map.of(Signal.CPU, 0.0)).isEmpty()).isFalse();
        assertThat(InterferenceVector.EMPTY.isEmpty()).isTrue();
    }

    @Test
    void sumAddsEachSignalOverTheVectorsThatHaveIt() {
        InterferenceVector first = new InterferenceVector(Map.of(Signal.CPU, 0.25, Signal.BLK, 0.5));
        InterferenceVector second = new InterferenceVector(Map.of(Signal.CPU, 0.5));

        InterferenceVector sum = InterferenceVector.sum(List.of(first, second));

        assertThat(sum.levels()).isEqualTo(Map.of(Signal.CPU, 0.75, Signal.BLK, 0.5));
    }

    @Test
    void sumLeavesRatiosOut() {
        InterferenceVector missing = new InterferenceVector(Map.of(Signal.LLCMR, 0.4, Signal.CPUWAIT, 0.3));

        InterferenceVector sum = InterferenceVector.sum(List.of(missing, missing));

        assertThat(sum.isEmpty()).isTrue();
    }

    @Test
    void signalAbsentFromEveryVectorIsAbsentFromTheSum() {
        InterferenceVector sum = InterferenceVector.sum(
                List.of(new InterferenceVector(Map.of(Signal.CPU, 0.1)), InterferenceVector.EMPTY));

        assertThat(sum.levels()).containsOnlyKeys(Signal.CPU);
    }

    @Test
    void sumKeepsWhatExceedsTheCapacity() {
        InterferenceVector disk = new InterferenceVector(Map.of(Signal.BLK, 0.9));

        InterferenceVector sum = InterferenceVector.sum(List.of(disk, disk));

        assertThat(sum.level(Signal.BLK).orElseThrow()).isEqualTo(1.8, within(1e-12));
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, -0.001, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void levelThatNoMeasurementCanHaveIsRefusedByName(double level) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InterferenceVector(Map.of(Signal.MBW, level)))
                .withMessage("MBW level must be finite and >= 0, got " + level);
    }

    @Test
    void laterChangeOfTheGivenMapDoesNotReachTheVector() {
        EnumMap<Signal, Double> levels = new EnumMap<>(Map.of(Signal.CPU, 0.1));
        InterferenceVector vector = new InterferenceVector(levels);

        levels.put(Signal.CPU, 0.9);

        assertThat(vector.level(Signal.CPU)).hasValue(0.1);
    }

    @Test
    void levelsHandedOutCannotBeChanged() {
        InterferenceVector vector = new InterferenceVector(Map.of(Signal.CPU, 0.1));

        assertThatThrownBy(() -> vector.levels().clear()).isInstanceOf(UnsupportedOperationException.class);
    }
}
