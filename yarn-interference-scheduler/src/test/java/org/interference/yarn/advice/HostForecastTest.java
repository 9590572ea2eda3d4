package org.interference.yarn.advice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.interference.yarn.signal.Capacities;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HostForecastTest {
    private static final double MIB = 1 << 20;
    private static final Capacities SMALL = host(1, 64, 200);
    private static final Capacities LARGE = host(2, 128, 400);

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @Test
    void oneThreadGainsNothingFromMoreCpusAndFourThreadsDo() {
        assertThat(factor(SMALL, LARGE, Map.of(Signal.CPU, 1.0))).isEqualTo(1);
        assertThat(factor(SMALL, LARGE, Map.of(Signal.CPU, 1.0, Signal.CPUWAIT, 0.75)))
                .isEqualTo(0.5);
        assertThat(factor(SMALL, host(8, 64, 200), Map.of(Signal.CPU, 1.0, Signal.CPUWAIT, 0.75)))
                .as("four threads on eight CPUs")
                .isCloseTo(0.25, within(1e-9));
        assertThat(factor(LARGE, SMALL, Map.of(Signal.CPU, 0.75))).isEqualTo(1.5);
    }

    @Test
    void whoReadsAsFastAsTheDiskDoesIsAsMuchSlowerAsTheDisk() {
        Map<Signal, Double> reader = Map.of(Signal.CPU, 0.02, Signal.BLKWAIT, 0.97, Signal.READB, 63 * MIB);

        assertThat(factor(SMALL, LARGE, reader)).isEqualTo(0.5);
        assertThat(factor(SMALL, host(1, 32, 200), reader)).isEqualTo(2);
        assertThat(factor(SMALL, host(1, 64_000, 200), reader))
                .as("what it computes stays")
                .isCloseTo(0.03, within(0.011));
    }

    @Test
    void whoWaitsForTheLatencyOfADiskIsAsFastOnOneThatMovesMore() {
        Map<Signal, Double> log =
                Map.of(Signal.CPU, 0.2, Signal.BLKWAIT, 0.8, Signal.BLK, 0.7, Signal.WRITEB, 48 * MIB);

        assertThat(factor(SMALL, LARGE, log)).isCloseTo(1, within(1e-9));
        assertThat(factor(SMALL, host(1, 32, 200), log))
                .as("more than the other disk writes")
                .isEqualTo(1.5);
    }

    @Test
    void whoWaitsBeforeTheDiskIsLimitedByItThoughItMovesLittle() {
        Map<Signal, Double> random =
                Map.of(Signal.CPU, 0.02, Signal.BLKWAIT, 3.9, Signal.BLK, 0.2, Signal.READB, 32 * MIB);

        assertThat(factor(SMALL, LARGE, random)).isEqualTo(0.5);
    }

    @Test
    void whoSleepsIsNoFasterOnAnyHost() {
        assertThat(factor(SMALL, LARGE, Map.of(Signal.CPU, 0.3, Signal.NETP, 0.1)))
                .isCloseTo(1, within(1e-9));
        assertThat(factor(SMALL, LARGE, Map.of(Signal.CPU, 0.01, Signal.NETP, 0.95)))
                .isEqualTo(0.5);
    }

    @Test
    void withoutCpuNothingIsForecastAndWithoutCapacitiesNothingChanges() {
        assertThat(HostForecast.timeFactor(new InterferenceVector(Map.of(Signal.NETP, 0.5)), SMALL, LARGE))
                .isEmpty();
        assertThat(factor(SMALL, Capacities.UNKNOWN, Map.of(Signal.CPU, 1.0, Signal.BLKWAIT, 1.0, Signal.READB, 1e9)))
                .isCloseTo(1, within(1e-9));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void moreOfAnythingMakesNobodySlower(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 100; i++) {
            Capacities first = random(random);
            Capacities second = random(random);
            Capacities more = new Capacities(
                    second.cpus() * (1 + random.nextDouble()),
                    Double.NaN,
                    second.diskBytesPerSecond() * (1 + random.nextDouble()),
                    second.networkBitsPerSecond() * (1 + random.nextDouble()));
            Map<Signal, Double> levels = levels(random, first);

            double factor = factor(first, second, levels);
            assertThat(factor).isPositive().isFinite();
            assertThat(factor(first, more, levels)).isLessThanOrEqualTo(factor * (1 + 1e-9));
            assertThat(factor(first, first, levels)).isLessThanOrEqualTo(1 + 1e-9);
        }
    }

    private static Map<Signal, Double> levels(Random random, Capacities host) {
        EnumMap<Signal, Double> levels = new EnumMap<>(Signal.class);
        levels.put(Signal.CPU, 0.01 + 0.99 * random.nextDouble());
        levels.put(Signal.CPUWAIT, 0.9 * random.nextDouble());
        levels.put(Signal.BLKWAIT, 3 * random.nextDouble());
        levels.put(Signal.BLK, 3 * random.nextDouble());
        levels.put(Signal.READB, random.nextDouble() * host.diskBytesPerSecond());
        levels.put(Signal.NETP, random.nextDouble());
        return levels;
    }

    private static Capacities random(Random random) {
        return host(0.5 + 16 * random.nextDouble(), 10 + 500 * random.nextDouble(), 10 + 1000 * random.nextDouble());
    }

    private static Capacities host(double cpus, double diskMib, double networkMbit) {
        return new Capacities(cpus, Double.NaN, diskMib * MIB, networkMbit * 1e6);
    }

    private static double factor(Capacities first, Capacities second, Map<Signal, Double> levels) {
        return HostForecast.timeFactor(new InterferenceVector(levels), first, second)
                .orElseThrow();
    }
}
