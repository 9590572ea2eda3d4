package org.interference.yarn.nm.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoreSetTest {
    @Test
    void whatIsWrittenIsReadAsTheSame() {
        for (long seed = 0; seed < 1000; seed++) {
            Random random = new Random(seed);
            TreeSet<Integer> cores = new TreeSet<>();
            random.ints(1 + random.nextInt(10), 0, 20).forEach(cores::add);

            CoreSet set = new CoreSet(cores);

            assertThat(CoreSet.parse(set.toString())).as("seed %d", seed).isEqualTo(set);
        }
    }

    @Test
    void neighboursAreWrittenAsARange() {
        assertThat(CoreSet.parse("0,1,2,8,10-11\n")).hasToString("0-2,8,10-11");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a", "3-1", "-1", "0-99999999", "0,,2"})
    void otherTextIsNoSet(String text) {
        assertThatThrownBy(() -> CoreSet.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
