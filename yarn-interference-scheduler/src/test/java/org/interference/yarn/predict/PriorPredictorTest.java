package org.interference.yarn.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Figures: Xavier, PUCRS 2019, Table 6.2, and for the network IADA, JSS 2022. */
class PriorPredictorTest extends SlowdownPredictorLaws {
    private static final double ABSENT = 0.0;
    private static final double LOW = 0.1;
    private static final double MODERATE = 0.3;
    private static final double HIGH = 0.8;

    @Override
    protected SlowdownPredictor predictor() {
        return new PriorPredictor();
    }

    @ParameterizedTest
    @CsvSource({
        "CPU, 0.1, 1.03", "CPU, 0.3, 1.15", "CPU, 0.8, 1.33",
        "MBW, 0.1, 1.07", "MBW, 0.3, 1.62", "MBW, 0.8, 1.74",
        "BLK, 0.1, 1.12", "BLK, 0.3, 1.82", "BLK, 0.8, 2.25",
        "LLCOCC, 0.1, 1.07", "LLCOCC, 0.3, 1.18", "LLCOCC, 0.8, 1.26",
        "NETP, 0.1, 1.13", "NETP, 0.3, 1.43", "NETP, 0.8, 1.62"
    })
    void twoOfOneClassSlowDownAsPublished(Signal signal, double level, double published) {
        assertThat(slowdown(Vectors.of(signal, level), Vectors.of(signal, level)))
                .isEqualTo(published);
    }

    @ParameterizedTest(name = "own {0}, neighbour {1}")
    @CsvSource({
        "0.0, 0.0, 1.00", "0.0, 0.1, 1.00", "0.0, 0.3, 1.00", "0.0, 0.8, 1.00",
        "0.1, 0.0, 1.00", "0.1, 0.1, 1.12", "0.1, 0.3, 1.12", "0.1, 0.8, 1.12",
        "0.3, 0.0, 1.00", "0.3, 0.1, 1.12", "0.3, 0.3, 1.82", "0.3, 0.8, 1.82",
        "0.8, 0.0, 1.00", "0.8, 0.1, 1.12", "0.8, 0.3, 1.82", "0.8, 0.8, 2.25"
    })
    void taskMeetsContentionOnlyOnWhatBothSidesUse(double own, double neighbour, double published) {
        assertThat(slowdown(Vectors.of(Signal.BLK, own), Vectors.of(Signal.BLK, neighbour)))
                .isEqualTo(published);
    }

    @Test
    void factorsOfTheResourcesMultiply() {
        InterferenceVector task = new InterferenceVector(Map.of(
                Signal.CPU, HIGH, Signal.MBW, MODERATE, Signal.BLK, LOW, Signal.LLCOCC, ABSENT, Signal.NETP, HIGH));
        InterferenceVector neighbour = new InterferenceVector(Map.of(
                Signal.CPU, HIGH, Signal.MBW, HIGH, Signal.BLK, LOW, Signal.LLCOCC, HIGH, Signal.NETP, MODERATE));

        assertThat(slowdown(task, neighbour)).isEqualTo(1.33 * 1.62 * 1.12 * 1.43, within(1e-12));
    }

    @Test
    void worstCaseIsTheProductOfTheWholeHighRow() {
        InterferenceVector all = new InterferenceVector(
                Map.of(Signal.CPU, 1.0, Signal.MBW, 1.0, Signal.BLK, 1.0, Signal.LLCOCC, 1.0, Signal.NETP, 1.0));

        assertThat(slowdown(all, all, all)).isEqualTo(1.33 * 1.74 * 2.25 * 1.26 * 1.62, within(1e-12));
    }

    @Test
    void smallNeighboursPressTogetherLikeOneLargeOne() {
        InterferenceVector low = Vectors.of(Signal.MBW, LOW);

        assertThat(slowdown(Vectors.of(Signal.MBW, HIGH), low, low, low, low, low, low))
                .isEqualTo(slowdown(Vectors.of(Signal.MBW, HIGH), Vectors.of(Signal.MBW, 0.6)))
                .isEqualTo(1.74);
    }

    @Test
    void signalThatOneSideHasNoLevelForTakesNoPart() {
        InterferenceVector task = new InterferenceVector(Map.of(Signal.CPU, HIGH, Signal.MBW, HIGH));
        InterferenceVector neighbour = new InterferenceVector(Map.of(Signal.CPU, HIGH, Signal.BLK, HIGH));

        assertThat(slowdown(task, neighbour)).isEqualTo(1.33);
    }

    @ParameterizedTest
    @EnumSource(
            value = Signal.class,
            names = {"NETS", "LLCMR", "CPUWAIT", "BLKWAIT", "FUTEX"})
    void taskWithNoSignalOfTheTableIsUnknown(Signal signal) {
        InterferenceVector task = Vectors.of(signal, HIGH);

        assertThat(predictor().predict(task, List.of(task))).isInstanceOf(Prediction.Unknown.class);
    }

    @Test
    void taskOfWhichNothingWasMeasuredIsUnknown() {
        assertThat(predictor().predict(InterferenceVector.EMPTY, List.of(Vectors.cpu(HIGH))))
                .isInstanceOf(Prediction.Unknown.class);
    }

    @Test
    void taskThatMeasuredZeroIsKnownNotToSuffer() {
        assertThat(slowdown(Vectors.cpu(ABSENT), Vectors.cpu(HIGH))).isEqualTo(1.0);
    }

    /** Summed one way these are 50.5 %, which is High, and the other way a last bit less, which would be Moderate. */
    @Test
    void orderOfNeighboursDoesNotMatterWhereTheirSumIsOnAClassBoundary() {
        InterferenceVector task = Vectors.of(Signal.BLK, HIGH);
        InterferenceVector one = Vectors.of(Signal.BLK, 0.03);
        InterferenceVector two = Vectors.of(Signal.BLK, 0.06);
        InterferenceVector three = Vectors.of(Signal.BLK, 0.415);

        assertThat(slowdown(task, one, two, three)).isEqualTo(slowdown(task, one, three, two));
    }

    private double slowdown(InterferenceVector task, InterferenceVector... neighbours) {
        return factor(predictor().predict(task, List.of(neighbours)));
    }
}
