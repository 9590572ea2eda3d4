package org.interference.yarn.signal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScaleTest {
    private static final Capacities SMALL = new Capacities(16, 64e9, 2e8, 1e10);
    private static final Capacities LARGE = new Capacities(64, 256e9, 8e8, 2e10);

    static List<Long> seeds() {
        return new Random(64).longs(50).boxed().toList();
    }

    @Test
    void oneBusyCpuIsAQuarterOfTheShareOnANodeOfFourTimesAsMany() {
        InterferenceVector levels = new InterferenceVector(Map.of(
                Signal.CPU, 1 / 16.0,
                Signal.NETP, 0.5,
                Signal.BLK, 0.8,
                Signal.MEM, 0.1,
                Signal.CPUWAIT, 0.3,
                Signal.FUTEX, 1000.0));

        InterferenceVector there = Scale.between(SMALL, LARGE).of(levels);

        assertThat(there.level(Signal.CPU).orElseThrow()).isCloseTo(1 / 64.0, within(1e-12));
        assertThat(there.level(Signal.NETP).orElseThrow()).isCloseTo(0.25, within(1e-12));
        assertThat(there.level(Signal.BLK).orElseThrow()).isCloseTo(0.2, within(1e-12));
        assertThat(there.level(Signal.MEM).orElseThrow()).isCloseTo(0.025, within(1e-12));
        assertThat(there.level(Signal.CPUWAIT)).as("a share of its own time").hasValue(0.3);
        assertThat(there.level(Signal.FUTEX)).as("calls a second").hasValue(1000);
        assertThat(there.level(Signal.NETS)).isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void thereAndBackIsWhereItBegan(long seed) {
        Random random = new Random(seed);
        Scale scale = Scale.between(random(random), random(random));
        EnumMap<Signal, Double> levels = new EnumMap<>(Signal.class);
        for (Signal signal : Signal.values()) {
            if (random.nextBoolean()) {
                levels.put(signal, 2 * random.nextDouble());
            }
        }

        InterferenceVector back = scale.inverse().of(scale.of(new InterferenceVector(levels)));

        levels.forEach(
                (signal, level) -> assertThat(back.level(signal).orElseThrow()).isCloseTo(level, within(1e-9)));
        assertThat(scale.inverse().inverse()).isEqualTo(scale);
    }

    @Test
    void machinesOfOneKindAreAlike() {
        Capacities other = new Capacities(16, 64.9e9, 2.05e8, 1e10);

        assertThat(Scale.between(SMALL, other).isOne()).isTrue();
    }

    @Test
    void whatOneOfBothDoesNotTellIsAsItWas() {
        assertThat(Scale.between(Capacities.UNKNOWN, LARGE).isOne()).isTrue();
        assertThat(Scale.between(SMALL, Capacities.UNKNOWN).isOne()).isTrue();
        Scale cpuAlone = Scale.between(SMALL, new Capacities(64, Double.NaN, Double.NaN, Double.NaN));
        assertThat(cpuAlone.of(Signal.CPU)).isEqualTo(0.25);
        assertThat(cpuAlone.of(Signal.BLK)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -4, Double.NaN, Double.POSITIVE_INFINITY, Double.MIN_VALUE, Double.MAX_VALUE})
    void absurdCapacitiesMakeNoAbsurdLevels(double cpus) {
        Scale scale = Scale.between(new Capacities(cpus, 1, 1, 1), SMALL);

        assertThat(scale.of(Signal.CPU)).isBetween(1 / 256.0, 256.0);
    }

    private static Capacities random(Random random) {
        return new Capacities(1 + random.nextInt(128), 1e9 * (1 + random.nextInt(512)), 1e8 * random.nextDouble(), 1e9);
    }
}
