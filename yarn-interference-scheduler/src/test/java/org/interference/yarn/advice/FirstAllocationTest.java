package org.interference.yarn.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.interference.yarn.advice.Footprints.GIB;
import static org.interference.yarn.advice.Footprints.with;

import java.time.Duration;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.LongStream;
import org.interference.yarn.profile.Footprint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class FirstAllocationTest {
    private static final Duration HOUR = Duration.ofHours(1);

    static LongStream seeds() {
        return LongStream.range(0, 100);
    }

    /**
     * With some tasks at 1 GiB, the others at 4 GiB, and equal run times, 1 GiB is better for both rules if less than three quarters are
     * run again: 1 + 4 P < 4, and (4 (1 - P) + P) / (1 + P) > 1.
     */
    @ParameterizedTest
    @CsvSource({"99, 1, 1", "50, 50, 1", "26, 74, 1", "24, 76, 4", "1, 99, 4"})
    void ofTwoSizesTheBetterOneByHand(int small, int large, int gib) {
        FirstAllocation first = allocation(with(Footprints.of(small, GIB), large, 4 * GIB, HOUR));

        assertThat(first.minimumWaste()).isEqualTo(gib * GIB);
        assertThat(first.maximumThroughput()).isEqualTo(gib * GIB);
    }

    /** What is run again for long costs more: 1 t + 4 (9/10 t) > 4 t, though only half of the tasks are. */
    @Test
    void runTimesCountAndNotTasksAlone() {
        Footprint footprint =
                with(with(Footprint.NONE, 50, GIB, Duration.ofMinutes(1)), 50, 4 * GIB, Duration.ofMinutes(9));

        assertThat(allocation(footprint).minimumWaste()).isEqualTo(4 * GIB);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noSizeThatWasSeenIsBetter(long seed) {
        Random random = new Random(seed);
        Footprint footprint = Footprint.NONE;
        for (int i = 0; i < 30 + random.nextInt(200); i++) {
            double peak = GIB * Math.min(4, Math.exp(random.nextGaussian() / 2));
            footprint = with(footprint, 1, peak, Duration.ofSeconds(1 + random.nextInt(1000)));
        }
        Footprint seen = footprint;
        double time = seen.totals().seconds();
        DoubleUnaryOperator given = a -> a * time + 4 * GIB * seen.secondsAbove(a);
        DoubleUnaryOperator rate = a -> {
            double above = (double) seen.above(a) / seen.remembered();
            return (4 * GIB / a * (1 - above) + above) / (time + seen.secondsAbove(a));
        };

        FirstAllocation first = allocation(seen);

        for (Footprint.Bucket bucket : seen.peaks()) {
            assertThat(given.applyAsDouble(first.minimumWaste()))
                    .isLessThanOrEqualTo(given.applyAsDouble(bucket.bytes()) * (1 + 1e-12));
            if (bucket.bytes() < 4 * GIB) {
                assertThat(rate.applyAsDouble(first.maximumThroughput()))
                        .isGreaterThanOrEqualTo(rate.applyAsDouble(bucket.bytes()) * (1 - 1e-12));
            }
        }
        assertThat(first.minimumWaste()).isLessThanOrEqualTo(4 * GIB);
    }

    @Test
    void sizeIsOneThatContainersHave() {
        FirstAllocation first = new FirstAllocation(
                Footprints.of(50, 1.2 * GIB), 4 * GIB, bytes -> Math.ceil(bytes / (GIB / 2)) * (GIB / 2));

        assertThat(first.minimumWaste()).isCloseTo(1.5 * GIB, within(1.0));
    }

    private static FirstAllocation allocation(Footprint footprint) {
        return new FirstAllocation(footprint, 4 * GIB, bytes -> bytes);
    }
}
