package org.interference.yarn.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.config.ConfigKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlaceSettingsTest {
    @Test
    void defaultsAreDocumented() {
        PlaceSettings settings = PlaceSettings.from((name, fallback) -> fallback);

        assertThat(settings)
                .isEqualTo(new PlaceSettings(
                        Mode.SHADOW,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        100,
                        1000,
                        100,
                        new MatchSettings(1, Duration.ofMinutes(5), 0.9, Duration.ZERO, 0.05),
                        8,
                        ByQueue.none(),
                        ByQueue.none(),
                        new TagCosts(1, 1.32),
                        ByQueue.none(),
                        new TimeLimits(Duration.ofMillis(1), 0.05)));
    }

    @Test
    void everyKeyCanBeSet() {
        Map<String, String> file = new HashMap<>();
        file.put("yarn.interference.place.choices", "9");
        file.put("yarn.interference.place.mode", "on");
        file.put("yarn.interference.place.queue-modes", "root.etl=on,root.serving=off");
        file.put("yarn.interference.place.queue-sensitivity", "root.serving=4,root.batch=0.5");
        file.put("yarn.interference.place.tags", "root.serving=10,root.guests=0");
        file.put("yarn.interference.place.max-wait-ms", "6");
        file.put("yarn.interference.place.containers-ahead", "8");
        file.put("yarn.interference.place.group-wait-ms", "7");
        file.put("yarn.interference.place.solo-share", "0.25");
        file.put("yarn.interference.place.decision-limit-ms", "2");
        file.put("yarn.interference.place.min-measured", "0.75");
        file.put("yarn.interference.place.time-share", "0.125");

        PlaceSettings settings = PlaceSettings.from(file::getOrDefault);

        assertThat(settings)
                .isEqualTo(new PlaceSettings(
                        Mode.ON,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        100,
                        1000,
                        100,
                        new MatchSettings(8, Duration.ofMillis(6), 0.75, Duration.ofMillis(7), 0.25),
                        9,
                        new ByQueue<>(Map.of("root.etl", Mode.ON, "root.serving", Mode.OFF)),
                        new ByQueue<>(Map.of("root.serving", 4.0, "root.batch", 0.5)),
                        new TagCosts(1, 1.32),
                        new ByQueue<>(Map.of("root.serving", 10.0, "root.guests", 0.0)),
                        new TimeLimits(Duration.ofMillis(2), 0.125)));
        assertThat(PlaceSettings.KEYS).extracting(ConfigKey::name).containsExactlyInAnyOrderElementsOf(file.keySet());
    }

    @ParameterizedTest
    @CsvSource({
        "yarn.interference.place.mode, yes",
        "yarn.interference.place.queue-modes, root.etl",
        "yarn.interference.place.queue-modes, root.etl=yes",
        "yarn.interference.place.queue-sensitivity, root.serving=0.09",
        "yarn.interference.place.queue-sensitivity, root.serving=101",
        "yarn.interference.place.queue-sensitivity, root.serving=NaN",
        "yarn.interference.place.max-wait-ms, -1",
        "yarn.interference.place.max-wait-ms, 600001",
        "yarn.interference.place.max-wait-ms, soon",
        "yarn.interference.place.containers-ahead, -1",
        "yarn.interference.place.decision-limit-ms, -1",
        "yarn.interference.place.min-measured, 1.1",
        "yarn.interference.place.time-share, 0",
        "yarn.interference.place.time-share, 1.1"
    })
    void valueOutsideTheRuleIsRefusedByTheNameOfItsKey(String key, String value) {
        Map<String, String> file = Map.of(key, value);

        assertThatThrownBy(() -> PlaceSettings.from(file::getOrDefault))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(key + " is '" + value + "' but must be ");
    }
}
