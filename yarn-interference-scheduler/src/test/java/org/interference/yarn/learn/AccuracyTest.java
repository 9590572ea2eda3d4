package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class AccuracyTest {
    private static final Instant TEN = Instant.parse("2026-01-31T10:30:00Z");
    private static final Label TWICE = new Label(2, Label.Source.RUN_TIME, 1);

    private final Accuracy accuracy = new Accuracy();

    @Test
    void errorsAreSharesOfWhatWasObserved() {
        accuracy.add(3, 1, TWICE, TEN);
        accuracy.add(1, 1, TWICE, TEN.plusSeconds(60));

        Accuracy.Hour hour = accuracy.hours().get(0);
        assertThat(hour.predictions()).isEqualTo(2);
        assertThat(hour.absolute() / hour.weight()).isEqualTo(0.5, within(1e-9));
        assertThat(hour.signed())
                .as("one too large by half, one too small by half")
                .isZero();
        assertThat(hour.prior() / hour.weight()).isEqualTo(0.5, within(1e-9));
    }

    @Test
    void labelThatIsRoughCountsLess() {
        accuracy.add(2, 2, TWICE, TEN);
        accuracy.add(4, 2, new Label(2, Label.Source.CPU_TIME, 0.25), TEN);

        Accuracy.Hour hour = accuracy.hours().get(0);
        assertThat(hour.absolute() / hour.weight()).isEqualTo(0.25 / 1.25, within(1e-9));
    }

    @Test
    void eachHourIsForItselfAndAWeekIsKept() {
        for (int i = 0; i < 200; i++) {
            accuracy.add(2, 2, TWICE, TEN.plus(Duration.ofHours(i)));
        }

        assertThat(accuracy.hours()).hasSize(169);
        assertThat(accuracy.hours()).allMatch(hour -> hour.predictions() == 1);
    }
}
