package org.interference.yarn.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NeighboursTest {
    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void leavingOneOutEqualsNeverHavingHadIt(long seed) {
        Random random = new Random(seed);
        List<InterferenceVector> all = Vectors.random(random, 1 + random.nextInt(20));
        List<InterferenceVector> others = new ArrayList<>(all);
        InterferenceVector left = others.remove(random.nextInt(all.size()));

        Neighbours without = Neighbours.of(all).without(left);

        Neighbours expected = Neighbours.of(others);
        assertThat(without.count()).isEqualTo(expected.count());
        for (Signal signal : Signal.predictors()) {
            assertThat(without.members(signal)).isEqualTo(expected.members(signal));
            assertThat(without.level(signal).isPresent())
                    .isEqualTo(expected.level(signal).isPresent());
            assertThat(without.level(signal).orElse(0))
                    .isCloseTo(expected.level(signal).orElse(0), within(1e-9))
                    .isNotNegative();
        }
    }

    @Test
    void signalThatTheOnlyOneWithALevelTookAwayIsAbsentAndNotZero() {
        InterferenceVector disk = Vectors.of(Signal.BLK, 0.3);

        Neighbours rest = Neighbours.of(List.of(disk, Vectors.cpu(0.1))).without(disk);

        assertThat(rest.level(Signal.BLK)).isEmpty();
        assertThat(rest.level(Signal.CPU)).hasValue(0.1);
    }

    @Test
    void ratiosHaveNoSum() {
        assertThat(Neighbours.of(List.of(Vectors.of(Signal.CPUWAIT, 0.5))).level(Signal.CPUWAIT))
                .isEmpty();
    }

    @Test
    void addingDoesNotChangeWhatWasThere() {
        Neighbours one = Neighbours.of(List.of(Vectors.cpu(0.5)));

        Neighbours two = one.with(Vectors.cpu(0.25));

        assertThat(one.level(Signal.CPU)).hasValue(0.5);
        assertThat(two.level(Signal.CPU)).hasValue(0.75);
        assertThat(two.count()).isEqualTo(2);
    }
}
