package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.fixture.Reports.T0;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class UsualGainsTest {
    private final UsualGains<String> usual = new UsualGains<>();

    @Test
    void whoWasOfferedNothingBeforeGainsNothingUnusual() {
        usual.offered("other", 0.5, T0);

        assertThat(usual.offered("sort", 0.9, T0)).isZero();
    }

    @Test
    void usualGainFollowsWhatIsOffered() {
        usual.offered("sort", 1.0, T0);

        assertThat(usual.offered("sort", 0.4, T0)).isCloseTo(-0.48, within(1e-12));
        double excess = -0.48;
        for (int i = 0; i < 20; i++) {
            double next = usual.offered("sort", 0.4, T0);
            assertThat(next).isBetween(excess, 0.0);
            excess = next;
        }

        assertThat(excess).isCloseTo(0, within(0.01));
        assertThat(usual.offered("sort", 1.0, T0)).isCloseTo(0.48, within(0.01));
    }

    @Test
    void oneIsNotMeasuredByAnother() {
        usual.offered("sort", 0.2, T0);
        usual.offered("wait", 1.0, T0);

        assertThat(usual.offered("sort", 0.2, T0)).isZero();
        assertThat(usual.offered("sort", 0.3, T0)).isPositive();
        assertThat(usual.offered("wait", 0.9, T0)).isNegative();
    }

    @Test
    void whoWaitsNoLongerIsForgottenAndWhoDoesIsNot() {
        usual.offered("sort", 1.0, T0);
        usual.offered("wait", 1.0, T0.plusSeconds(1));
        var later = T0.plus(Duration.ofMinutes(10)).plusMillis(1);

        usual.sweep(later);

        assertThat(usual.offered("sort", 0.5, later)).isZero();
        assertThat(usual.offered("wait", 0.5, later)).isNegative();
    }
}
