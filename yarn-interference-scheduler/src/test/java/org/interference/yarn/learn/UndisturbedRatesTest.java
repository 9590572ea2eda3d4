package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import org.interference.yarn.learn.UndisturbedRates.Where;
import org.interference.yarn.signal.Capacities;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.Scale;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UndisturbedRatesTest {
    private static final int KINDS = 8;
    private static final int RUNS = 60;

    private final UndisturbedRates cpu = new UndisturbedRates(100);

    /** Whatever the form of the slowdowns, one run in ten meets hardly anybody; a measurement is off by a twentieth. */
    @ParameterizedTest
    @CsvSource({"1, 1", "3, 2", "10, 3", "40, 4"})
    void leastDisturbedRunsShowWhatAKindThatWasNeverAloneUses(double worst, long seed) {
        Random random = new Random(seed);
        for (int run = 0; run < RUNS; run++) {
            for (int kind = 0; kind < KINDS; kind++) {
                double slowdown = run % 10 == 0 ? 1.02 : 1 + (worst - 1) * random.nextDouble();
                double noise = Math.exp(0.05 * random.nextGaussian());
                cpu.addDisturbed("kind-" + kind, noise * level(kind) / slowdown);
            }
        }

        for (int kind = 0; kind < KINDS; kind++) {
            assertThat(cpu.of("kind-" + kind).orElseThrow() / level(kind)).isCloseTo(1, within(0.13));
        }
    }

    private static double level(int kind) {
        return 0.05 * (kind + 1);
    }

    /** Kernels and firmware differ in what they say of the same machine. */
    @Test
    void nodesThatDifferByAFewPerCentAreOfOneSort() {
        Capacities reference = cpus(16);

        assertThat(Where.of(Scale.between(cpus(32), reference), Signal.CPU).nodeClass())
                .isNotEmpty()
                .isEqualTo(Where.of(Scale.between(cpus(32.3), reference), Signal.CPU)
                        .nodeClass())
                .isNotEqualTo(
                        Where.of(Scale.between(cpus(64), reference), Signal.CPU).nodeClass());
    }

    private static Capacities cpus(double count) {
        return Capacities.of(new NodeFigures(Map.of(NodeMetric.CPUS, count)));
    }

    @Test
    void oneWrongMeasurementChangesLittle() {
        for (int run = 0; run < RUNS; run++) {
            cpu.addDisturbed("sort", 0.3 - run / 1000.0);
        }

        cpu.addDisturbed("sort", 30);

        assertThat(cpu.of("sort")).hasValue(0.3);
    }

    @Test
    void kindThatHasChangedIsToldByItsNewestRuns() {
        for (int run = 0; run < 64; run++) {
            cpu.addDisturbed("sort", 0.8);
        }
        assertThat(cpu.of("sort")).hasValue(0.8);

        for (int run = 0; run < 64; run++) {
            cpu.addDisturbed("sort", 0.2);
        }

        assertThat(cpu.of("sort")).hasValue(0.2);
    }

    @Test
    void runAloneIsBelievedMoreThanAnyOther() {
        for (int run = 0; run < RUNS; run++) {
            cpu.addDisturbed("sort", 0.9);
        }

        cpu.addAlone("sort", 0.7, Where.ANY);

        assertThat(cpu.of("sort").orElseThrow()).isCloseTo(0.7, within(1e-9));
    }

    /** Neighbours only take: a kind that gets on twice as well beside some is not what it was. */
    @Test
    void runAloneOfLongAgoIsNotBelievedBeyondWhatIsSeen() {
        cpu.addAlone("sort", 0.2, Where.ANY);

        for (int run = 0; run < RateRuns.LEAST_RUNS; run++) {
            cpu.addDisturbed("sort", 0.4);
        }

        assertThat(cpu.of("sort")).hasValue(0.4);
    }

    @Test
    void whoHasAllOfASmallNodeIsNotSlowedDownThere() {
        double small = 0.5;
        cpu.addAlone("sort", 1.0, Where.ANY);

        assertThat(cpu.slowdown("sort", OptionalDouble.of(small), ofSize(small)))
                .hasValue(1);
        assertThat(cpu.slowdown("sort", OptionalDouble.of(small / 2), ofSize(small)))
                .hasValue(2);
        assertThat(cpu.slowdown("sort", OptionalDouble.of(small), Where.ANY)).hasValue(2);
    }

    @Test
    void runAloneThatHadAllOfASmallNodeSaysOnlyThatItGetsOnSoFastAtLeast() {
        double small = 0.5;
        cpu.addAlone("sort", 0.48, ofSize(small));
        assertThat(cpu.of("sort").orElseThrow()).isCloseTo(0.48, within(1e-9));
        cpu.addAlone("other", 0.9, Where.ANY);

        cpu.addAlone("other", 0.48, ofSize(small));

        assertThat(cpu.of("other").orElseThrow()).isCloseTo(0.9, within(1e-9));
    }

    /** Who works on a disk uses less of a processor where that is slower. */
    @Test
    void runAloneOnSuchANodeIsBelievedMoreThanOneElsewhere() {
        Where slowDisk = new Where("slow", 1);
        cpu.addAlone("sort", 0.4, Where.ANY);
        assertThat(cpu.slowdown("sort", OptionalDouble.of(0.1), slowDisk).orElseThrow())
                .isCloseTo(4, within(1e-9));

        cpu.addAlone("sort", 0.1, slowDisk);

        assertThat(cpu.slowdown("sort", OptionalDouble.of(0.1), slowDisk).orElseThrow())
                .isCloseTo(1, within(1e-9));
        assertThat(cpu.slowdown("sort", OptionalDouble.of(0.1), Where.ANY).orElseThrow())
                .isCloseTo(2, within(0.02));
    }

    private static Where ofSize(double size) {
        return new Where("of " + size, size);
    }

    @Test
    void tooFewRunsSayNothing() {
        for (int run = 1; run < RateRuns.LEAST_RUNS; run++) {
            cpu.addDisturbed("sort", 0.3);
        }
        // Nobody knows how fast who does not compute gets on.
        cpu.addDisturbed("sort", 0.0001);
        cpu.addAlone("sort", 0, Where.ANY);

        assertThat(cpu.of("sort")).isEmpty();
        assertThat(cpu.of("other")).isEmpty();
    }

    @Test
    void slowdownIsTheRateUndisturbedOverThatMeasured() {
        cpu.addAlone("sort", 0.6, Where.ANY);

        assertThat(cpu.slowdown("sort", OptionalDouble.of(0.2), Where.ANY).orElseThrow())
                .isCloseTo(3, within(1e-9));
        assertThat(cpu.slowdown("sort", OptionalDouble.of(0), Where.ANY)).isEmpty();
        assertThat(cpu.slowdown("sort", OptionalDouble.empty(), Where.ANY)).isEmpty();
        assertThat(cpu.slowdown("other", OptionalDouble.of(0.2), Where.ANY)).isEmpty();
    }
}
