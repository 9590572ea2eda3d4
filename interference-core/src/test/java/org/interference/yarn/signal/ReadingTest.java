package org.interference.yarn.signal;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadingTest {
    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, -0.001, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void valueThatNoMeasurementCanHaveIsRefusedInEveryPlace(double value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Reading.Measured(value, 0, 0, false, "proc"))
                .withMessage("level must be finite and >= 0, got " + value);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Reading.Measured(0, value, 0, false, "proc"))
                .withMessage("mean must be finite and >= 0, got " + value);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Reading.Measured(0, 0, value, false, "proc"))
                .withMessage("raw must be finite and >= 0, got " + value);
    }
}
