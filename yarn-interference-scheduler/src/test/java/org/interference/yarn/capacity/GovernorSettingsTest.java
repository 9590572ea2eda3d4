package org.interference.yarn.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.place.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GovernorSettingsTest {
    private static final String MODE = "yarn.interference.capacity.mode";
    private static final String LABELS = "yarn.interference.capacity.label-modes";
    private static final String QUEUES = "yarn.interference.capacity.queue-growth";
    private static final String FACTOR = "yarn.interference.capacity.max-factor";

    @Test
    void withoutAnySettingNoNodeIsLookedAtAndEveryQueueMayProfit() {
        GovernorSettings settings = settings(Map.of());

        assertThat(settings.isOff()).isTrue();
        assertThat(settings.mode("")).isEqualTo(Mode.OFF);
        assertThat(settings.growsFor("root.etl")).isTrue();
        assertThat(settings.growsFor("")).isTrue();
        assertThat(settings.maxFactor()).isEqualTo(2);
    }

    @Test
    void labelHasItsModeAndAllOthersThatOfTheCluster() {
        GovernorSettings settings = settings(Map.of(MODE, "shadow", LABELS, "gpu=off, batch = ON"));

        assertThat(settings.mode("gpu")).isEqualTo(Mode.OFF);
        assertThat(settings.mode("batch")).isEqualTo(Mode.ON);
        assertThat(settings.mode("serving")).isEqualTo(Mode.SHADOW);
        assertThat(settings.mode("")).isEqualTo(Mode.SHADOW);
    }

    @Test
    void nodesWithoutALabelAreNamedAsYarnShowsThem() {
        GovernorSettings settings = settings(Map.of(LABELS, "<DEFAULT_PARTITION>=on"));

        assertThat(settings.mode("")).isEqualTo(Mode.ON);
        assertThat(settings.mode("gpu")).isEqualTo(Mode.OFF);
        assertThat(settings.isOff()).isFalse();
    }

    @Test
    void allIsOffOnlyIfEveryLabelIs() {
        assertThat(settings(Map.of(LABELS, "gpu=off")).isOff()).isTrue();
        assertThat(settings(Map.of(LABELS, "gpu=shadow")).isOff()).isFalse();
        assertThat(settings(Map.of(MODE, "on", LABELS, "gpu=off")).isOff()).isFalse();
    }

    @Test
    void nodesGrowForAQueueAndThoseBelowIt() {
        GovernorSettings settings = settings(Map.of(QUEUES, "root=off,root.etl=on,root.etl.adhoc=Off"));

        assertThat(settings.growsFor("root.etl.nightly")).isTrue();
        assertThat(settings.growsFor("root.etl.adhoc.x")).isFalse();
        assertThat(settings.growsFor("root.serving")).isFalse();
        assertThat(settings.growsFor(""))
                .as("of which no more is known than that it is below the root")
                .isFalse();
    }

    @Test
    void everyKeyCanBeSet() {
        Map<String, String> file =
                new HashMap<>(Map.of(MODE, "on", LABELS, "gpu=off", QUEUES, "root.a=off", FACTOR, "1.5"));

        assertThat(settings(file).maxFactor()).isEqualTo(1.5);
        assertThat(GovernorSettings.KEYS)
                .extracting(ConfigKey::name)
                .containsExactlyInAnyOrderElementsOf(file.keySet());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                MODE + "; large",
                LABELS + "; gpu",
                LABELS + "; gpu=yes",
                LABELS + "; =on",
                LABELS + "; gpu=on,gpu=off",
                LABELS + "; a b=on",
                LABELS + "; root.a=on",
                LABELS + "; <NO_SUCH_PARTITION>=on",
                QUEUES + "; etl=on",
                QUEUES + "; root.etl=shadow",
                QUEUES + "; root.etl",
                FACTOR + "; 0.99",
                FACTOR + "; 4.01",
                FACTOR + "; NaN",
                FACTOR + "; -1",
                FACTOR + "; Infinity"
            })
    void valueOutsideTheRuleIsRefusedByTheNameOfItsKey(String key, String value) {
        assertThatThrownBy(() -> settings(Map.of(key, value)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith(key + " is '" + value + "' but must be ");
    }

    private static GovernorSettings settings(Map<String, String> file) {
        return GovernorSettings.from(file::getOrDefault);
    }
}
