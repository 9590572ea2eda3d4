package org.interference.yarn.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PredictionTest {
    @ParameterizedTest
    @ValueSource(doubles = {0.999, 0, -1, Double.NaN, Double.POSITIVE_INFINITY})
    void slowdownThatIsNoneIsRefused(double factor) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Prediction.Slowdown(factor))
                .withMessage("slowdown factor must be finite and >= 1.0, got " + factor);
    }

    @Test
    void noInterferenceIsASlowdownOfOne() {
        assertThat(new Prediction.Slowdown(1.0).factor()).isEqualTo(1.0);
    }
}
