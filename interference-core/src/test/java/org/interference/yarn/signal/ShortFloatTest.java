package org.interference.yarn.signal;

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

    @Test
    void magnitudeOrdersValuesAndTellsThoseThatAreNotFinite() {
        Random random = new Random(3);
        for (int i = 0; i < 100_000; i++) {
            float one = ShortFloat.nearest(Math.exp(random.nextDouble(-80, 80)));
            float other = ShortFloat.nearest(Math.exp(random.nextDouble(-80, 80)));
            ShortFloat.write(one, bytes, 0);

            assertThat(ShortFloat.magnitude(bytes, 0)).isEqualTo(ShortFloat.magnitude(one));
            assertThat(ShortFloat.isFinite(ShortFloat.magnitude(one))).isTrue();
            assertThat(Integer.compare(ShortFloat.magnitude(one), ShortFloat.magnitude(other)))
                    .isIn(0, Float.compare(one, other));
        }
        assertThat(ShortFloat.isFinite(ShortFloat.magnitude(Float.POSITIVE_INFINITY)))
                .isFalse();
        assertThat(ShortFloat.isFinite(ShortFloat.magnitude(Float.NaN))).isFalse();
        assertThat(ShortFloat.isFinite(ShortFloat.magnitude(ShortFloat.nearest(Double.MAX_VALUE))))
                .isTrue();
    }

    private float travelled(double value) {
        assertThat(ShortFloat.write(value, bytes, ShortFloat.BYTES)).isEqualTo(2 * ShortFloat.BYTES);
        return ShortFloat.read(bytes, ShortFloat.BYTES);
    }
}
