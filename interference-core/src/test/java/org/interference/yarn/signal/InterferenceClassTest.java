package org.interference.yarn.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InterferenceClassTest {
    @ParameterizedTest
    @CsvSource({"0.00, ABSENT", "0.01, LOW", "0.20, LOW", "0.21, MODERATE", "0.50, MODERATE", "0.51, HIGH", "1.00, HIGH"
    })
    void boundariesAreThoseOfTable61(double level, InterferenceClass expected) {
        assertThat(InterferenceClass.of(level)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0.0049, ABSENT", "0.0051, LOW", "0.2049, LOW", "0.2051, MODERATE", "0.5049, MODERATE", "0.5051, HIGH"})
    void levelBetweenTwoClassesIsRoundedToWholePerCent(double level, InterferenceClass expected) {
        assertThat(InterferenceClass.of(level)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1.01, 7.5, 1e300})
    void levelAboveCapacityIsHigh(double level) {
        assertThat(InterferenceClass.of(level)).isEqualTo(InterferenceClass.HIGH);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, -0.01, Double.NEGATIVE_INFINITY})
    void levelThatNoMeasurementCanHaveIsRefused(double level) {
        assertThatIllegalArgumentException().isThrownBy(() -> InterferenceClass.of(level));
    }
}
