package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.Optional;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.learn.Labels.Alone;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;

class LabelsTest {
    private static final InterferenceVector WAITS_NOT = waits(0, 0);

    @Test
    void runTimeOfAKindThatRepeatsIsMeasuredByThatAlone() {
        Label label = Labels.of(15, WAITS_NOT, new Alone(10, 0.1, 3), Optional.of(WAITS_NOT))
                .orElseThrow();

        assertThat(label.source()).isEqualTo(Label.Source.RUN_TIME);
        assertThat(label.slowdown()).isEqualTo(1.5);
        assertThat(label.weight()).isGreaterThan(0.9);
    }

    @Test
    void moreVariationIsLessWeight() {
        assertThat(Labels.byRunTime(15, new Alone(10, 0.5, 3)).orElseThrow().weight())
                .isEqualTo(0.5);
    }

    @Test
    void runTimesThatVaryTooMuchOrAreTooFewSayNothing() {
        assertThat(Labels.byRunTime(15, new Alone(10, 1.5, 30))).isEmpty();
        assertThat(Labels.byRunTime(15, new Alone(10, 0.1, 2))).isEmpty();
        assertThat(Labels.byRunTime(15, Alone.NEVER)).isEmpty();
    }

    @Test
    void thenItsStallsAreComparedWithThoseAlone() {
        Label label = Labels.of(15, waits(0.5, 0.2), Alone.NEVER, Optional.of(waits(0, 0.2)))
                .orElseThrow();

        assertThat(label.source()).isEqualTo(Label.Source.STALLS);
        assertThat(label.slowdown()).isCloseTo(2, within(1e-9));
        assertThat(label.weight()).isLessThan(0.5);
    }

    @Test
    void severalThreadsThatWaitLeaveTheSlowdownFinite() {
        assertThat(Labels.byStalls(waits(0, 7), WAITS_NOT).orElseThrow().slowdown())
                .isCloseTo(50, within(1e-9));
    }

    @Test
    void withoutAnythingToCompareByThereIsNoLabel() {
        assertThat(Labels.of(15, WAITS_NOT, Alone.NEVER, Optional.empty())).isEmpty();
        assertThat(Labels.of(15, WAITS_NOT, Alone.NEVER, Optional.of(Vectors.cpu(1))))
                .isEmpty();
    }

    private static InterferenceVector waits(double cpu, double disk) {
        return new InterferenceVector(Map.of(Signal.CPUWAIT, cpu, Signal.BLKWAIT, disk));
    }
}
