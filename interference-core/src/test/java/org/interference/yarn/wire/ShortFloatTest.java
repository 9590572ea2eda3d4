package org.interference.yarn.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShortFloatTest {
    private static final double PERCENT_OFF = 100.0 / 130_000;

    private final byte[] bytes = new byte[2 * ShortFloat.BYTES];

    @Test
    void anyLevelIsOffByOnePartIn130000AtMost() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            double value = Math.exp(random.nextDouble(-80, 80));

            assertThat((double) travelled(value)).isCloseTo(value, withinPercentage(PERCENT_OFF));
        }
    }

    @Test
    void whatHasTravelledTravelsUnchanged() {
        Random random = new Random(2);
        for (int i = 0; i < 100_000; i++) {
            float sent =
                    ShortFloat.nearest(Float.intBitsToFloat(random.nextInt(Float.floatToRawIntBits(Float.MAX_VALUE))));

            assertThat(travelled(sent)).isEqualTo(sent);
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.0, 0.5, 1, 1500})
    void whatThreeBytesHoldTravelsAsItIs(double value) {
        assertThat((double) travelled(value)).isEqualTo(Math.abs(value));
    }

    private float travelled(double value) {
        assertThat(ShortFloat.write(value, bytes, ShortFloat.BYTES)).isEqualTo(2 * ShortFloat.BYTES);
        return ShortFloat.read(bytes, ShortFloat.BYTES);
    }
}
