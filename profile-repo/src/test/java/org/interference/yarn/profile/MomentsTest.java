package org.interference.yarn.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MomentsTest {
    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @Test
    void momentsOfAnExampleThatCanBeCheckedByHand() {
        Moments moments = moments(2, 4, 4, 4, 5, 5, 7, 9);

        assertThat(moments.count()).isEqualTo(8);
        assertThat(moments.mean()).isEqualTo(5.0);
        assertThat(moments.deviation()).isEqualTo(Math.sqrt(32 / 7.0), within(1e-12));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void meanAndDeviationEqualThoseOfTwoPasses(long seed) {
        Random random = new Random(seed);
        double offset = random.nextInt(3) == 0 ? 1e6 : 0;
        double[] values = random.doubles(2 + random.nextInt(500))
                .map(value -> offset + value)
                .toArray();
        double mean = Arrays.stream(values).average().orElseThrow();
        double variance =
                Arrays.stream(values).map(value -> Math.pow(value - mean, 2)).sum() / (values.length - 1);

        Moments moments = moments(values);

        assertThat(moments.mean()).isCloseTo(mean, within(1e-9 * (1 + offset)));
        assertThat(moments.deviation()).isCloseTo(Math.sqrt(variance), within(1e-6));
    }

    @Test
    void oneValueHasNoSpread() {
        assertThat(moments(0.7).mean()).isEqualTo(0.7);
        assertThat(moments(0.7).deviation()).isZero();
    }

    @Test
    void nothingSeenHasNoSpread() {
        assertThat(Moments.NONE.count()).isZero();
        assertThat(Moments.NONE.deviation()).isZero();
    }

    @Test
    void equalValuesHaveExactlyNoSpread() {
        assertThat(moments(0.1, 0.1, 0.1, 0.1).deviation()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"-1, 0, 0", "1, NaN, 0", "1, Infinity, 0", "2, 0, -0.1", "2, 0, NaN", "2, 0, Infinity"})
    void momentsThatNoValuesHaveAreRefused(long count, double mean, double squaredDistances) {
        assertThatIllegalArgumentException().isThrownBy(() -> new Moments(count, mean, squaredDistances));
    }

    private static Moments moments(double... values) {
        Moments moments = Moments.NONE;
        for (double value : values) {
            moments = moments.with(value);
        }
        return moments;
    }
}
