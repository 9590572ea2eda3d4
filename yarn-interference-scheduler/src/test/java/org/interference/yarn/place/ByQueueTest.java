package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.config.ConfigKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByQueueTest {
    private static final ConfigKey<ByQueue<Integer>> KEY = ByQueue.key("a.key", Integer::valueOf, "a number", "Test.");

    static LongStream seeds() {
        return LongStream.range(0, 200);
    }

    @ParameterizedTest
    @CsvSource({
        "root.etl, 1",
        "root.etl.nightly, 2",
        "root.etl.daily, 1",
        "root.etl.nightly.late.later, 2",
        "root.etlx, 0",
        "root.serving, 3",
        "root, 0",
        "etl, 0",
        "'', 0",
        "root., 0"
    })
    void mostSpecificQueueWins(String queue, int expected) {
        ByQueue<Integer> setting = read(" root.etl=1, root.etl.nightly = 2,root.serving=3 ");

        assertThat(setting.of(queue, 0)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"root", "root.etl", "root.etl.nightly", "etl", ""})
    void everyQueueIsBelowTheRoot(String queue) {
        assertThat(read("root=7").of(queue, 0)).isEqualTo(7);
    }

    @Test
    void nothingIsSetByDefault() {
        assertThat(KEY.read((name, fallback) -> fallback)).isEqualTo(ByQueue.none());
        assertThat(ByQueue.none().of("root.etl", "otherwise")).isEqualTo("otherwise");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "root.etl",
                "root.etl=",
                "root.etl=one",
                "root.etl=1=2",
                "=1",
                ",",
                "root.etl=1,",
                "etl=1",
                "root..etl=1",
                "root.=1",
                "root.e tl=1",
                "root.etl=1,root.etl=2"
            })
    void anythingElseIsRefusedInOneSentence(String value) {
        assertThatThrownBy(() -> read(value))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("a.key is '" + value + "' but must be a list like root.a=VALUE")
                .hasMessageContaining("VALUE being a number");
    }

    /** Of all set queues that a queue is or is below, the one with the longest path. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void valueIsThatOfTheLongestPathAbove(long seed) {
        Random random = new Random(seed);
        Map<String, Integer> values = new HashMap<>();
        for (int i = random.nextInt(8); i > 0; i--) {
            values.put(randomPath(random), i);
        }
        ByQueue<Integer> setting = new ByQueue<>(values);
        for (int i = 0; i < 20; i++) {
            String queue = randomPath(random);
            List<String> above = new ArrayList<>(values.keySet());
            above.removeIf(path -> !(queue + ".").startsWith(path + "."));
            above.sort((one, other) -> other.length() - one.length());

            assertThat(setting.of(queue, -1)).isEqualTo(above.isEmpty() ? -1 : values.get(above.get(0)));
        }
    }

    private static String randomPath(Random random) {
        StringBuilder path = new StringBuilder("root");
        for (int i = random.nextInt(4); i > 0; i--) {
            path.append('.').append((char) ('a' + random.nextInt(2)));
        }
        return path.toString();
    }

    private static ByQueue<Integer> read(String value) {
        return KEY.read((name, fallback) -> value);
    }
}
