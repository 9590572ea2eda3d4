package org.interference.yarn.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AveragesTest {
    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @Test
    void averagesOfAnExampleThatCanBeCheckedByHand() {
        Averages averages = averages(2, 4, 4, 4, 5, 5, 7, 9);

        assertThat(averages.count()).isEqualTo(8);
        assertThat(averages.mean()).isEqualTo(5.0, within(1e-8));
        assertThat(averages.deviation()).isEqualTo(Math.sqrt(32 / 7.0), within(1e-8));
        assertThat(averages.p95()).isEqualTo(9);
        assertThat(averages.peak()).isEqualTo(9);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void sixteenValuesAreAveragedExactlyInWhateverOrderTheyCome(long seed) {
        Random random = new Random(seed);
        double[] values = random.doubles(2 + random.nextInt(15)).toArray();
        double mean = Arrays.stream(values).average().orElseThrow();
        double variance =
                Arrays.stream(values).map(value -> Math.pow(value - mean, 2)).sum() / (values.length - 1);

        for (int order = 0; order < 5; order++) {
            shuffle(values, random);
            Averages averages = averages(values);

            assertThat(averages.mean()).isCloseTo(mean, within(1e-7));
            assertThat(averages.deviation()).isCloseTo(Math.sqrt(variance), within(1e-6));
            assertThat(averages.peak()).isCloseTo(Arrays.stream(values).max().orElseThrow(), within(1e-9));
            assertThat(averages.p95()).isEqualTo(averages.peak());
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aboutATwentiethOfManyValuesIsAboveThe95thPercentile(long seed) {
        Random random = new Random(seed);
        ToDoubleFunction<Random> source =
                switch ((int) (seed % 3)) {
                    case 0 -> Random::nextDouble;
                    case 1 -> from -> Math.max(0, 10 + from.nextGaussian());
                    default -> from -> -Math.log(1 - from.nextDouble());
                };
        Averages averages = Averages.NONE;
        for (int i = 0; i < 2000; i++) {
            averages = averages.with(source.applyAsDouble(random));
        }

        double p95 = averages.p95();
        long above = LongStream.range(0, 10_000)
                .filter(i -> source.applyAsDouble(random) > p95)
                .count();

        // A long tail looks like a change now and then, and then the percentile is too high for a while.
        assertThat(above).isBetween(seed % 3 == 2 ? 20L : 150L, seed % 3 == 2 ? 1600L : 1100L);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noiseAloneDoesNotMoveTheMeanFar(long seed) {
        Random random = new Random(seed);
        Averages averages = Averages.NONE;
        for (int i = 0; i < 1000; i++) {
            averages = averages.with(Math.max(0, 10 + random.nextGaussian()));

            if (i >= 32) {
                assertThat(averages.mean()).isCloseTo(10, within(2.5));
            }
        }
    }

    @Test
    void taskThatChangedForGoodIsBelievedAfterAFewSamples() {
        Averages averages = Averages.NONE;
        for (int i = 0; i < 40; i++) {
            averages = averages.with(i % 2 == 0 ? 0.19 : 0.21);
        }
        assertThat(averages.mean()).isCloseTo(0.2, within(0.01));

        for (int i = 0; i < 8; i++) {
            averages = averages.with(i % 2 == 0 ? 0.79 : 0.81);
        }

        assertThat(averages.mean()).isCloseTo(0.8, within(0.15));
    }

    @Test
    void fastMeanFollowsBeforeTheSlowOne() {
        Averages averages = Averages.constant(32, 0.2).with(0.8);

        assertThat(averages.fast()).isCloseTo(0.35, within(1e-9));
        assertThat(averages.mean()).isCloseTo(0.21875, within(1e-9));
    }

    @Test
    void peakIsTheHighestWindowAndNotTheHighestMean() {
        assertThat(Averages.NONE.with(0.2, 0.9).peak()).isEqualTo(0.9);
        assertThat(Averages.NONE.with(0.2, 0.1).peak()).isEqualTo(0.2);
    }

    @Test
    void equalValuesHaveExactlyNoSpread() {
        assertThat(averages(0.1, 0.1, 0.1, 0.1).deviation()).isZero();
        assertThat(averages(0.7).deviation()).isZero();
        assertThat(Averages.NONE.deviation()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 0, 0, 0, 0",
        "1, 2, 0, 0, 0",
        "50, 33, 0, 0, 0",
        "1, 1, NaN, 0, 0",
        "1, 1, 0, Infinity, 0",
        "1, 1, 0, -0.1, 0",
        "2, 2, 0, 0, -0.1"
    })
    void averagesThatNoValuesHaveAreRefused(long count, int weight, double fast, double mean, double variance) {
        assertThatIllegalArgumentException().isThrownBy(() -> new Averages(count, weight, fast, mean, variance, 0, 0));
    }

    private static void shuffle(double[] values, Random random) {
        for (int i = values.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            double held = values[i];
            values[i] = values[j];
            values[j] = held;
        }
    }

    private static Averages averages(double... values) {
        Averages averages = Averages.NONE;
        for (double value : values) {
            averages = averages.with(value);
        }
        return averages;
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.9, 64, 1e9})
    void oneValueMovesTheMeanByA32ndAndTwoByLessThanHalf(double wrong) {
        Averages known = Averages.constant(1000, 0.5);

        Averages once = known.with(wrong);
        Averages twice = once.with(wrong);

        assertThat(Math.abs(once.mean() - 0.5)).isLessThanOrEqualTo(Math.abs(wrong - 0.5) / 32 + 1e-6);
        assertThat(Math.abs(twice.mean() - 0.5)).isLessThanOrEqualTo(Math.abs(wrong - 0.5) * 0.44);
    }
}
