package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UndisturbedCpuTest {
    private static final int KINDS = 8;
    private static final int RUNS = 60;

    private final UndisturbedCpu cpu = new UndisturbedCpu(100);

    /** Who is slowed down by the prior's factor to some power uses that much less, with a tenth of noise. */
    @ParameterizedTest
    @CsvSource({"0, 1", "0.5, 2", "1, 3", "2, 4"})
    void kindsThatWereNeverAloneAreExtrapolated(double exponent, long seed) {
        Random random = new Random(seed);
        for (int run = 0; run < RUNS; run++) {
            for (int kind = 0; kind < KINDS; kind++) {
                double expected = 1.2 + 2 * random.nextDouble();
                double noise = Math.exp(0.1 * random.nextGaussian());
                cpu.addDisturbed("kind-" + kind, expected, noise * level(kind) / Math.pow(expected, exponent));
            }
        }

        for (int kind = 0; kind < KINDS; kind++) {
            assertThat(cpu.of("kind-" + kind).orElseThrow() / level(kind)).isCloseTo(1, within(0.12));
        }
    }

    private static double level(int kind) {
        return 0.05 * (kind + 1);
    }

    @Test
    void kindThatIsAlwaysAsDisturbedIsExtrapolatedByWhatOthersShow() {
        for (int run = 0; run < RUNS; run++) {
            double expected = 1 + run % 3;
            cpu.addDisturbed("varied", expected, 0.5 / expected);
            cpu.addDisturbed("steady", 2, 0.1);
        }

        assertThat(cpu.of("steady").orElseThrow()).isCloseTo(0.2, within(0.01));
    }

    @Test
    void runAloneIsBelievedMoreThanAnyExtrapolation() {
        for (int run = 0; run < RUNS; run++) {
            cpu.addDisturbed("sort", 1 + run % 3, 0.5 / (1 + run % 3));
        }

        cpu.addAlone("sort", 0.7);

        assertThat(cpu.of("sort")).hasValue(0.7);
    }

    @Test
    void tooFewRunsSayNothing() {
        for (int run = 1; run < UndisturbedCpu.LEAST_RUNS; run++) {
            cpu.addDisturbed("sort", run, 0.3);
        }
        // Nobody knows how fast who does not compute gets on.
        cpu.addDisturbed("sort", 2, 0.0001);
        cpu.addAlone("sort", 0);

        assertThat(cpu.of("sort")).isEmpty();
        assertThat(cpu.of("other")).isEmpty();
    }
}
