package org.interference.yarn.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ModesTest {
    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void oneKindOfTaskIsNeverDivided(long seed) {
        Random random = new Random(seed);
        double width = random.nextDouble();
        Modes modes = Modes.NONE;
        for (int i = 0; i < 300; i++) {
            double value =
                    switch ((int) (seed % 3)) {
                        case 0 -> random.nextDouble() * width;
                        case 1 -> Math.abs(1 + width * random.nextGaussian() / 3);
                        default -> -Math.log(1 - random.nextDouble()) * width;
                    };
            modes = modes.with(value);

            assertThat(modes.boundary()).as("after %d values", i + 1).isEmpty();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void twoKindsAreDividedBetweenThemInWhateverOrderTheyCome(long seed) {
        Random random = new Random(seed);
        Modes modes = Modes.NONE;
        for (int i = 0; i < 100; i++) {
            double center = random.nextInt(3) == 0 ? 0.8 : 0.2;
            modes = modes.with(Math.max(0, center + 0.03 * random.nextGaussian()));
        }

        assertThat(modes.boundary().orElse(Double.NaN)).isCloseTo(0.5, within(0.1));
    }

    @Test
    void aFewOutliersAreNoKind() {
        Modes modes = Modes.NONE;
        for (int i = 0; i < 200; i++) {
            modes = modes.with(i % 40 == 0 ? 0.9 : 0.1);
        }

        assertThat(modes.boundary()).isEmpty();
    }

    @Test
    void differenceThatNoSchedulerCaresAboutIsNone() {
        Modes modes = Modes.NONE;
        for (int i = 0; i < 200; i++) {
            modes = modes.with(i % 2 == 0 ? 0.01 : 0.05);
        }

        assertThat(modes.boundary()).isEmpty();
    }

    @Test
    void clustersFollowWhatChanges() {
        Modes modes = Modes.NONE;
        for (int i = 0; i < 10_000; i++) {
            modes = modes.with(i % 2 == 0 ? 0.1 : 0.9);
        }
        assertThat(modes.low() + modes.high()).isLessThan(600);

        for (int i = 0; i < 10_000; i++) {
            modes = modes.with(0.5);
        }

        assertThat(modes.boundary()).isEqualTo(OptionalDouble.empty());
    }
}
