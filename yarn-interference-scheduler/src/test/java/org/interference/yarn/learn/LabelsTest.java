package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.OptionalDouble;
import org.interference.yarn.learn.Labels.Alone;
import org.junit.jupiter.api.Test;

class LabelsTest {
    @Test
    void runTimeOfAKindThatRepeatsIsMeasuredByThatAlone() {
        Label label = Labels.of(15, OptionalDouble.of(0.5), new Alone(10, 0.1, 3), OptionalDouble.of(0.5))
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
    void thenTheCpuThatItUsesIsComparedWithThatUndisturbed() {
        Label label = Labels.of(15, OptionalDouble.of(0.2), Alone.NEVER, OptionalDouble.of(0.5))
                .orElseThrow();

        assertThat(label.source()).isEqualTo(Label.Source.CPU_TIME);
        assertThat(label.slowdown()).isCloseTo(2.5, within(1e-9));
        assertThat(label.weight()).isLessThan(0.5);
    }

    @Test
    void withoutAnythingToCompareByThereIsNoLabel() {
        assertThat(Labels.of(15, OptionalDouble.of(0.2), Alone.NEVER, OptionalDouble.empty()))
                .isEmpty();
        assertThat(Labels.of(15, OptionalDouble.empty(), Alone.NEVER, OptionalDouble.of(0.2)))
                .isEmpty();
        assertThat(Labels.of(15, OptionalDouble.of(0), Alone.NEVER, OptionalDouble.of(0.2)))
                .isEmpty();
    }
}
