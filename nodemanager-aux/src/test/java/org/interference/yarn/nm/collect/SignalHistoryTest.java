package org.interference.yarn.nm.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.LongStream;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SignalHistoryTest {
    @Test
    void firstCountIsNoReadingYet() {
        assertThat(SignalHistory.first(Signal.CPU, counted(5, 10)).reading())
                .isEqualTo(new Reading.Unavailable("no second sample yet", "test"));
    }

    @Test
    void levelIsOfTheNewestWindowAndMeanOfAll() {
        SignalHistory history = SignalHistory.first(Signal.CPU, counted(5, 10))
                .with(counted(15, 30))
                .with(counted(15, 60));

        assertThat(history.reading()).isEqualTo(new Reading.Measured(0, 10.0 / 50, 0, false, "test"));
    }

    @Test
    void blockQueueIsClippedAtOneBesideTheRawValue() {
        SignalHistory history = SignalHistory.first(Signal.BLK, counted(0, 0))
                .with(counted(70, 10))
                .with(counted(75, 20));

        assertThat(history.reading()).isEqualTo(new Reading.Measured(0.5, 0.75, 0.5, false, "test"));
        assertThat(SignalHistory.first(Signal.BLK, counted(0, 0))
                        .with(counted(70, 10))
                        .reading())
                .isEqualTo(new Reading.Measured(1, 1, 7, false, "test"));
    }

    @Test
    void severalWaitingThreadsExceedOne() {
        SignalHistory history =
                SignalHistory.first(Signal.BLKWAIT, counted(0, 0)).with(counted(30, 10));

        assertThat(level(history)).isEqualTo(3);
    }

    @Test
    void countThatGoesBackwardsLeavesItsWindowOut() {
        SignalHistory history = SignalHistory.first(Signal.CPU, counted(0, 0))
                .with(counted(5, 10))
                .with(counted(1, 20));

        assertThat(level(history)).isEqualTo(0.5);
        assertThat(level(history.with(counted(2, 30)))).isEqualTo(0.1);
        assertThat(((Reading.Measured) history.with(counted(2, 30)).reading()).mean())
                .isEqualTo(6.0 / 20);
    }

    @Test
    void windowWithoutTimeIsLeftOut() {
        SignalHistory history = SignalHistory.first(Signal.CPU, counted(0, 0))
                .with(counted(5, 10))
                .with(counted(5, 10));

        assertThat(level(history)).isEqualTo(0.5);
        assertThat(level(history.with(counted(9, 10)))).isEqualTo(0.5);
    }

    @Test
    void ratioWithoutReferencesIsZeroAndWeighsNothing() {
        SignalHistory history = SignalHistory.first(Signal.CPUWAIT, counted(0, 0))
                .with(counted(5, 10))
                .with(counted(5, 10));

        assertThat(history.reading()).isEqualTo(new Reading.Measured(0, 0.5, 0, false, "test"));
    }

    @Test
    void anotherSourceBeginsWithABaselineAndKeepsTheMean() {
        SignalHistory history = SignalHistory.first(Signal.CPU, counted(0, 0))
                .with(counted(5, 10))
                .with(new Count.Counted(1000, 2000, false, "other"));

        assertThat(history.reading()).isInstanceOf(Reading.Unavailable.class);
        assertThat(history.with(new Count.Counted(1010, 2010, false, "other")).reading())
                .isEqualTo(new Reading.Measured(1, 0.75, 1, false, "other"));
    }

    @Test
    void anotherEpochOfTheSameSourceBeginsWithABaseline() {
        SignalHistory history = SignalHistory.first(Signal.CPU, counted(0, 0))
                .with(counted(5, 10))
                .with(new Count.Counted(900, 11, false, "test", 1));

        assertThat(history.reading()).isInstanceOf(Reading.Unavailable.class);
        assertThat(history.with(new Count.Counted(910, 21, false, "test", 1)).reading())
                .isEqualTo(new Reading.Measured(1, 0.75, 1, false, "test"));
    }

    @Test
    void countThatStopsSaysWhy() {
        SignalHistory history = SignalHistory.first(Signal.CPU, counted(0, 0))
                .with(counted(5, 10))
                .with(new Count.NotCounted("switched off", "test"));

        assertThat(history.reading()).isEqualTo(new Reading.Unavailable("switched off", "test"));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void meanOfGrowingCountsIsTheQuotientOfTheTotals(long seed) {
        Random random = new Random(seed);
        double used = random.nextInt(1000);
        double capacity = random.nextInt(1000);
        SignalHistory history = SignalHistory.first(Signal.CPU, counted(used, capacity));
        double firstUsed = used;
        double firstCapacity = capacity;
        for (int tick = 0; tick < 100; tick++) {
            used += random.nextDouble();
            capacity += 1e-3 + random.nextDouble();
            history = history.with(counted(used, capacity));
        }

        assertThat(((Reading.Measured) history.reading()).mean())
                .isCloseTo((used - firstUsed) / (capacity - firstCapacity), within(1e-9));
    }

    static LongStream seeds() {
        return LongStream.range(0, 20);
    }

    private static double level(SignalHistory history) {
        return ((Reading.Measured) history.reading()).level();
    }

    private static Count counted(double used, double capacity) {
        return new Count.Counted(used, capacity, false, "test");
    }
}
