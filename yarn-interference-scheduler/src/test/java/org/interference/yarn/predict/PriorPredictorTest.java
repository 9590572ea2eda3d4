package org.interference.yarn.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.interference.yarn.degradation.DegradationTable;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Figures: Xavier, PUCRS 2019, Table 6.2, and for the network IADA, JSS 2022. */
class PriorPredictorTest extends SlowdownPredictorLaws {
    private static final Offset<Double> EXACTLY = within(1e-12);
    private static final double ABSENT = 0.0;
    /** The middles of the classes: there the published figure holds as it is. */
    private static final double LOW = 0.105;

    private static final double MODERATE = 0.355;
    private static final double HIGH = 0.755;

    @Override
    protected SlowdownPredictor predictor() {
        return new PriorPredictor();
    }

    @ParameterizedTest
    @CsvSource({
        "CPU, 0.105, 1.03", "CPU, 0.355, 1.15", "CPU, 0.755, 1.33",
        "MBW, 0.105, 1.07", "MBW, 0.355, 1.62", "MBW, 0.755, 1.74",
        "BLK, 0.105, 1.12", "BLK, 0.355, 1.82", "BLK, 0.755, 2.25",
        "LLOCC, 0.105, 1.07", "LLOCC, 0.355, 1.18", "LLOCC, 0.755, 1.26",
        "NETP, 0.105, 1.13", "NETP, 0.355, 1.43", "NETP, 0.755, 1.62"
    })
    void neighbourInTheMiddleOfAClassCostsWhatWasPublished(Signal signal, double level, double published) {
        assertThat(slowdown(Vectors.of(signal, MODERATE), Vectors.of(signal, level)))
                .isCloseTo(published, EXACTLY);
    }

    @ParameterizedTest(name = "at {0}")
    @CsvSource({"0.0, 1.00", "0.0525, 1.06", "0.23, 1.47", "0.555, 2.035", "1.155, 2.68"})
    void betweenAndBeyondTheClassesTheFactorIsLinear(double neighbour, double factor) {
        assertThat(slowdown(Vectors.of(Signal.BLK, HIGH), Vectors.of(Signal.BLK, neighbour)))
                .isCloseTo(factor, EXACTLY);
    }

    @Test
    void oneMoreNeighbourCostsMoreHoweverBusyTheNodeIs() {
        InterferenceVector high = Vectors.cpu(HIGH);

        assertThat(slowdown(high, high, high, high)).isGreaterThan(slowdown(high, high, high));
    }

    @Test
    void taskSuffersOnAResourceAsMuchAsItUsesIt() {
        InterferenceVector neighbour = Vectors.of(Signal.BLK, HIGH);

        assertThat(slowdown(Vectors.of(Signal.BLK, ABSENT), neighbour)).isEqualTo(1.0);
        assertThat(slowdown(Vectors.of(Signal.BLK, 0.2 * MODERATE), neighbour)).isCloseTo(1 + 0.2 * 1.25, EXACTLY);
        assertThat(slowdown(Vectors.of(Signal.BLK, HIGH), neighbour))
                .isEqualTo(slowdown(Vectors.of(Signal.BLK, MODERATE), neighbour));
    }

    @Test
    void factorsOfTheResourcesMultiply() {
        InterferenceVector task = new InterferenceVector(Map.of(
                Signal.CPU, HIGH, Signal.MBW, MODERATE, Signal.BLK, LOW, Signal.LLOCC, ABSENT, Signal.NETP, HIGH));
        InterferenceVector neighbour = new InterferenceVector(
                Map.of(Signal.CPU, HIGH, Signal.MBW, HIGH, Signal.BLK, LOW, Signal.LLOCC, HIGH, Signal.NETP, MODERATE));

        assertThat(slowdown(task, neighbour)).isCloseTo(1.33 * 1.74 * (1 + 0.12 * LOW / MODERATE) * 1.43, EXACTLY);
    }

    @Test
    void smallNeighboursPressTogetherLikeOneLargeOne() {
        InterferenceVector low = Vectors.of(Signal.MBW, 0.1);

        assertThat(slowdown(low, low, low, low, low, low, low))
                .isCloseTo(slowdown(low, Vectors.of(Signal.MBW, 0.6)), EXACTLY);
    }

    /** On the line from no pressure to class low rounding may say a last bit less than 1. */
    @Test
    void nobodyIsFasterThanAloneByAnyTable() {
        for (int hundredths = 100; hundredths <= 500; hundredths++) {
            double low = hundredths / 100.0;
            String table = "blk=%s/%s/%s".formatted(low, low + 1, low + 2);
            PriorPredictor prior = new PriorPredictor(DegradationTable.parse(table));

            assertThat(prior.slowdown(Situation.of(Vectors.of(Signal.BLK, HIGH), Neighbours.NONE), Pressure.NONE))
                    .as(table)
                    .isBetween(1.0, 1 + 1e-12);
        }
    }

    @Test
    void signalThatOneSideHasNoLevelForTakesNoPart() {
        InterferenceVector task = new InterferenceVector(Map.of(Signal.CPU, HIGH, Signal.MBW, HIGH));
        InterferenceVector neighbour = new InterferenceVector(Map.of(Signal.CPU, HIGH, Signal.BLK, HIGH));

        assertThat(slowdown(task, neighbour)).isCloseTo(1.33, EXACTLY);
    }

    @ParameterizedTest
    @EnumSource(
            value = Signal.class,
            names = {"NETS", "LLCMR", "CPUWAIT", "BLKWAIT", "FUTEX"})
    void taskWithNoSignalOfTheTableIsUnknown(Signal signal) {
        InterferenceVector task = Vectors.of(signal, HIGH);

        assertThat(predictor().predict(task, Neighbours.of(List.of(task)))).isInstanceOf(Prediction.Unknown.class);
    }

    @Test
    void taskOfWhichNothingWasMeasuredIsUnknown() {
        assertThat(predictor().predict(InterferenceVector.EMPTY, Neighbours.of(List.of(Vectors.cpu(HIGH)))))
                .isInstanceOf(Prediction.Unknown.class);
    }

    @Test
    void taskThatMeasuredZeroIsKnownNotToSuffer() {
        assertThat(slowdown(Vectors.cpu(ABSENT), Vectors.cpu(HIGH))).isEqualTo(1.0);
    }

    private double slowdown(InterferenceVector task, InterferenceVector... neighbours) {
        return factor(predictor().predict(task, Neighbours.of(List.of(neighbours))));
    }
}
