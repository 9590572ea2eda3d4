package org.interference.yarn.learn;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageHinkleyTest {
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void riseIsNoticedSoonAndNoiseIsNot(long seed) {
        Random random = new Random(seed);
        PageHinkley test = new PageHinkley(0.05, 1);
        for (int i = 0; i < 5000; i++) {
            assertThat(test.rises(0.05 * Math.abs(random.nextGaussian()))).isFalse();
        }

        int seen = 0;
        boolean risen = false;
        while (!risen) {
            seen++;
            risen = test.rises(0.4 + 0.05 * random.nextGaussian());
        }

        assertThat(seen).isLessThan(10);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void fallOfTheErrorIsNoDrift(long seed) {
        Random random = new Random(seed);
        PageHinkley test = new PageHinkley(0.05, 1);

        for (int i = 0; i < 1000; i++) {
            double level = i < 500 ? 0.5 : 0.1;
            assertThat(test.rises(level + 0.05 * random.nextGaussian())).isFalse();
        }
    }
}
