package org.interference.yarn.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;

class FairShareTest {
    private final Random random = new Random(20_190_301);

    @Test
    void equalTasksGetEqualPartsHoweverManyAndHoweverSmallTheyAre() {
        for (int tasks : new int[] {2, 3, 4, 8, 70, 200}) {
            for (double each : new double[] {1, 0.5, 0.1, 1.0 / 64}) {
                double expected = Math.max(1, tasks * each);
                assertThat(slowdown(
                                each,
                                Stream.generate(() -> each).limit(tasks - 1L).toList()))
                        .as("%d tasks of %.3f", tasks, each)
                        .isCloseTo(expected, within(1e-9));
            }
        }
    }

    @Test
    void smallNeighboursLeaveMoreThanLargeOnesThatWantAsMuchTogether() {
        assertThat(slowdown(1, List.of(0.05, 0.05, 0.9))).isCloseTo(1 / 0.45, within(1e-9));
        assertThat(slowdown(1, List.of(1.0))).isCloseTo(2, within(1e-9));
        assertThat(slowdown(0.4, List.of(1.0, 1.0))).isCloseTo(0.4 * 3, within(1e-9));
        assertThat(slowdown(0.2, List.of(1.0, 1.0))).isEqualTo(1);
    }

    /** Three parts say nearly as much as all neighbours one by one. */
    @Test
    void itIsNearTheShareThatIsWorkedOutNeighbourByNeighbour() {
        double worst = 0;
        double sum = 0;
        int count = 2000;
        for (int i = 0; i < count; i++) {
            List<Double> neighbours =
                    random.doubles(1 + random.nextInt(6), 0.02, 1).boxed().toList();
            double own = 0.05 + 0.95 * random.nextDouble();
            double exact = Math.max(1, own / share(neighbours));
            double off = Math.abs(slowdown(own, neighbours) / exact - 1);
            worst = Math.max(worst, off);
            sum += off;
        }
        assertThat(worst).isLessThan(0.25);
        assertThat(sum / count).isLessThan(0.01);
    }

    @Test
    void oneMoreNeighbourNeverHelps() {
        for (int i = 0; i < 5000; i++) {
            List<InterferenceVector> neighbours = Vectors.random(random, random.nextInt(6));
            InterferenceVector task = Vectors.random(random);
            Situation before = Situation.of(task, Neighbours.of(neighbours));
            Situation after = before.with(Pressure.of(Vectors.random(random)));

            assertThat(FairShare.logSlowdown(after)).isGreaterThanOrEqualTo(FairShare.logSlowdown(before) - 1e-12);
        }
    }

    @Test
    void itIsTheScarcestResourceThatCounts() {
        InterferenceVector both = new InterferenceVector(new EnumMap<>(Map.of(Signal.CPU, 0.6, Signal.NETP, 0.9)));

        assertThat(Math.exp(FairShare.logSlowdown(Situation.of(both, Neighbours.of(List.of(both))))))
                .isCloseTo(0.9 / 0.5, within(1e-9));
    }

    private static double slowdown(double own, List<Double> neighbours) {
        List<InterferenceVector> vectors = new ArrayList<>();
        neighbours.forEach(level -> vectors.add(Vectors.cpu(level)));
        return Math.exp(FairShare.logSlowdown(Situation.of(Vectors.cpu(own), Neighbours.of(vectors))));
    }

    /** By halving: up to it each gets what it wants. */
    private static double share(List<Double> neighbours) {
        double low = 0;
        double high = 1;
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            double wanted = middle;
            for (double neighbour : neighbours) {
                wanted += Math.min(neighbour, middle);
            }
            low = wanted <= 1 ? middle : low;
            high = wanted <= 1 ? high : middle;
        }
        return low;
    }
}
