package org.interference.yarn.nm.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.config.ConfigKey;
import org.junit.jupiter.api.Test;

class NodeSettingsTest {
    @Test
    void defaultsAreDocumented() {
        assertThat(NodeSettings.from((key, fallback) -> null))
                .isEqualTo(new NodeSettings(Duration.ofSeconds(1), 1_048_576));
        assertThat(NodeSettings.KEYS)
                .hasSize(NodeSettings.class.getRecordComponents().length)
                .allSatisfy(key -> assertThat(key.doc()).isNotBlank())
                .extracting(ConfigKey::name)
                .allMatch(name -> name.startsWith("yarn.interference.nm."))
                .doesNotHaveDuplicates();
    }

    @Test
    void everyKeyCanBeSet() {
        Map<String, String> set = Map.of(
                "yarn.interference.nm.collect.interval-ms", "250",
                "yarn.interference.nm.heartbeat.max-payload-bytes", "2048");

        assertThat(NodeSettings.from(set::getOrDefault)).isEqualTo(new NodeSettings(Duration.ofMillis(250), 2048));
    }

    @Test
    void intervalUnderTheLimitIsRefusedInOneSentence() {
        assertThatThrownBy(() ->
                        NodeSettings.from(Map.of("yarn.interference.nm.collect.interval-ms", "100")::getOrDefault))
                .isInstanceOf(ConfigException.class)
                .hasMessage("yarn.interference.nm.collect.interval-ms is '100' but must be a whole number of"
                        + " milliseconds, at least 200 (default: 1000)");
    }
}
