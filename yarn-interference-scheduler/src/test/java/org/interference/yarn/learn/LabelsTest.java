package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.interference.yarn.learn.Labels.Alone;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;

class LabelsTest {
    @Test
    void runTimeOfAKindThatRepeatsIsMeasuredByThatAlone() {
        Label label = of(15, new Alone(10, 0.1, 3), Map.of(Signal.CPU, 1.0, Signal.INSTR, 1.1))
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

    /** Whoever says that it was slowed down a thousand times had a thousand times as much to do. */
    @Test
    void runTimeThatNeighboursCannotExplainIsNotBelieved() {
        Alone alone = new Alone(10, 0.1, 3);

        assertThat(of(50, alone, Map.of(Signal.CPU, 1.0)))
                .hasValueSatisfying(label -> assertThat(label.source()).isEqualTo(Label.Source.CPU_TIME));
        assertThat(of(50, alone, Map.of(Signal.CPU, 1.3)))
                .hasValueSatisfying(label -> assertThat(label.slowdown()).isEqualTo(5.0));
        assertThat(of(2000, alone, Map.of())).isEmpty();
    }

    /** The processor time of a disk's reader says how often it was interrupted. */
    @Test
    void whoWaitsForADiskIsMeasuredByWhatItMoves() {
        Map<Signal, Double> slowdowns = Map.of(Signal.READB, 1.5, Signal.CPU, 4.0, Signal.INSTR, 3.0);

        Label label = Labels.byRate(Optional.of(Signal.READB), of(slowdowns)).orElseThrow();

        assertThat(label.slowdown()).isEqualTo(1.5);
        assertThat(label.source()).isEqualTo(Label.Source.WORK_RATE);
        assertThat(Labels.byRate(Optional.empty(), of(slowdowns)).orElseThrow().slowdown())
                .isEqualTo(3.0);
        assertThat(Labels.byRate(Optional.of(Signal.NETP), of(slowdowns))
                        .orElseThrow()
                        .slowdown())
                .as("what its kind moves over the network undisturbed is not known")
                .isEqualTo(3.0);
        assertThat(Labels.of(15, new Alone(10, 0.1, 3), Optional.of(Signal.READB), of(slowdowns)))
                .hasValueSatisfying(byRunTime -> assertThat(byRunTime.source()).isEqualTo(Label.Source.RUN_TIME));
    }

    @Test
    void thenTheInstructionsThatItExecutesAreComparedWithThoseUndisturbed() {
        Label label = of(15, Alone.NEVER, Map.of(Signal.CPU, 1.2, Signal.INSTR, 2.5, Signal.PROGRESS, 2.0))
                .orElseThrow();

        assertThat(label.source()).isEqualTo(Label.Source.WORK_RATE);
        assertThat(label.slowdown()).isCloseTo(2.5, within(1e-9));
        assertThat(label.source().seesMemory()).isTrue();
    }

    /** Who is idle executes none. */
    @Test
    void instructionsThatAreFewerThanMemoryCouldMakeThemAreNotBelieved() {
        assertThat(of(15, Alone.NEVER, Map.of(Signal.CPU, 1.1, Signal.INSTR, 50.0)))
                .hasValueSatisfying(label -> assertThat(label.source()).isEqualTo(Label.Source.CPU_TIME));
        assertThat(of(15, Alone.NEVER, Map.of(Signal.INSTR, 3000.0))).isEmpty();
    }

    @Test
    void nobodyIsTakenToBeSlowedDownAThousandTimes() {
        assertThat(of(15, Alone.NEVER, Map.of(Signal.CPU, 99.0))).isPresent();
        assertThat(of(15, Alone.NEVER, Map.of(Signal.CPU, 1000.0))).isEmpty();
    }

    @Test
    void thenItsOwnProgressUnlessItsProcessorTimeContradicts() {
        assertThat(of(15, Alone.NEVER, Map.of(Signal.CPU, 1.2, Signal.PROGRESS, 2.0)))
                .hasValueSatisfying(label -> assertThat(label.slowdown()).isEqualTo(2.0));

        for (double claimed : new double[] {0.5, 1.0, 5.0, 1e9}) {
            assertThat(of(15, Alone.NEVER, Map.of(Signal.CPU, 1.2, Signal.PROGRESS, claimed)))
                    .hasValueSatisfying(label -> assertThat(label.source()).isEqualTo(Label.Source.CPU_TIME));
        }
        assertThat(of(15, Alone.NEVER, Map.of(Signal.PROGRESS, 2.0)))
                .as("nobody can check it")
                .isEmpty();
    }

    @Test
    void thenTheCpuThatItUsesIsComparedWithThatUndisturbed() {
        Label label = of(15, Alone.NEVER, Map.of(Signal.CPU, 2.5)).orElseThrow();

        assertThat(label.source()).isEqualTo(Label.Source.CPU_TIME);
        assertThat(label.slowdown()).isCloseTo(2.5, within(1e-9));
        assertThat(label.weight()).isLessThan(0.5);
        assertThat(label.source().seesMemory()).isFalse();
    }

    @Test
    void withoutAnythingToCompareByThereIsNoLabel() {
        assertThat(of(15, Alone.NEVER, Map.of())).isEmpty();
    }

    private static Optional<Label> of(double seconds, Alone alone, Map<Signal, Double> slowdowns) {
        return Labels.of(seconds, alone, Optional.empty(), of(slowdowns));
    }

    private static Function<Signal, OptionalDouble> of(Map<Signal, Double> slowdowns) {
        return rate -> slowdowns.containsKey(rate) ? OptionalDouble.of(slowdowns.get(rate)) : OptionalDouble.empty();
    }
}
