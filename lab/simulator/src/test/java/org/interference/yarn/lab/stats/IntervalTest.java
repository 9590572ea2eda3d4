package org.interference.yarn.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class IntervalTest {
    @Test
    void fiveValuesHaveTheIntervalOfTheTextbook() {
        Interval interval = Interval.of(new double[] {1, 2, 3, 4, 5});

        // 3 +- t(0.975, 4) * sqrt(2.5 / 5), with t = 2.776.
        assertThat(interval.mean()).isEqualTo(3);
        assertThat(interval.halfWidth()).isCloseTo(2.776 * Math.sqrt(0.5), Offset.offset(1e-3));
    }

    @Test
    void oneValueHasNoInterval() {
        assertThat(Interval.of(new double[] {7})).isEqualTo(new Interval(7, 7, 7));
    }

    @Test
    void noValueHasNoMean() {
        assertThatIllegalArgumentException().isThrownBy(() -> Interval.of(new double[0]));
    }
}
