package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.fixture.Reports.T0;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class UsualGainsTest {
    private final UsualGains<String> usual = new UsualGains<>();

    @Test
    void whoWasOfferedNothingGainsNothingUnusual() {
        usual.offered("other", 0.5, T0);

        assertThat(usual.excess("sort", 0.9)).isZero();
    }

    @Test
    void usualGainFollowsWhatIsOffered() {
        usual.offered("sort", 1.0, T0);
        assertThat(usual.excess("sort", 0.4)).isCloseTo(-0.6, within(1e-12));

        for (int i = 0; i < 20; i++) {
            usual.offered("sort", 0.4, T0);
        }

        assertThat(usual.excess("sort", 0.4)).isCloseTo(0, within(0.01));
        assertThat(usual.excess("sort", 1.0)).isCloseTo(0.6, within(0.01));
    }

    @Test
    void oneIsNotMeasuredByAnother() {
        usual.offered("sort", 0.2, T0);
        usual.offered("wait", 1.0, T0);

        assertThat(usual.excess("sort", 0.2)).isZero();
        assertThat(usual.excess("sort", 0.3)).isPositive();
        assertThat(usual.excess("wait", 0.9)).isNegative();
    }

    @Test
    void whoWaitsNoLongerIsForgottenAndWhoDoesIsNot() {
        usual.offered("sort", 1.0, T0);
        usual.offered("wait", 1.0, T0.plusSeconds(1));

        usual.sweep(T0.plus(Duration.ofMinutes(10)).plusMillis(1));

        assertThat(usual.excess("sort", 0.5)).isZero();
        assertThat(usual.excess("wait", 0.5)).isNegative();
    }
}
