package org.interference.yarn.sim.workload.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever becomes of a real file on its way, it is either a trace or refused in one sentence; seeded. */
class DamagedTraceTest {
    private static final byte[] NASTY = {0, '\t', '\n', '{', '}', '"', '-', '9', ',', ':', (byte) 0xff, 'e'};

    @ParameterizedTest
    @CsvSource({
        "SWIM, " + Traces.SWIM + ", 300",
        "RUMEN, " + Traces.RUMEN + ", 150",
        "SLS, " + Traces.SLS + ", 400",
        "JHIST, " + Traces.SLEEP + ", 400",
        "JHIST, " + Traces.TERAGEN + ", 400",
    })
    void aDamagedTraceIsReadOrRefusedInOneSentence(TraceFormat format, String resource, int rounds) {
        byte[] whole = Traces.bytes(resource);
        Random random = new Random(20090101);
        int refused = 0;

        for (int round = 0; round < rounds; round++) {
            byte[] damaged = damage(whole, random);
            try {
                assertThat(Traces.read(format, damaged).jobs()).isNotEmpty();
            } catch (TraceException e) {
                refused++;
                assertThat(e.getMessage())
                        .startsWith("trace")
                        .doesNotContain("\n")
                        .hasSizeLessThan(400);
            }
        }

        assertThat(refused).isPositive();
    }

    /** Cuts the end off, replaces bytes, or moves a piece. */
    private static byte[] damage(byte[] whole, Random random) {
        byte[] damaged = whole.clone();
        switch (random.nextInt(3)) {
            case 0 -> {
                return Arrays.copyOf(damaged, random.nextInt(damaged.length));
            }
            case 1 -> {
                for (int i = random.nextInt(5); i >= 0; i--) {
                    damaged[random.nextInt(damaged.length)] = NASTY[random.nextInt(NASTY.length)];
                }
            }
            default -> {
                int length = random.nextInt(damaged.length / 4);
                int from = random.nextInt(damaged.length - length);
                int to = random.nextInt(damaged.length - length);
                System.arraycopy(whole, from, damaged, to, length);
            }
        }
        return damaged;
    }
}
