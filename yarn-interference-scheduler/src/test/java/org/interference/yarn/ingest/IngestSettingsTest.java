package org.interference.yarn.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.signal.NodeMetric;
import org.junit.jupiter.api.Test;

class IngestSettingsTest {
    @Test
    void defaultsAreDocumented() {
        IngestSettings settings = IngestSettings.from((name, fallback) -> fallback);

        assertThat(settings)
                .isEqualTo(new IngestSettings(
                        5, 1_048_576, Duration.ofMinutes(10), 180, NodeMetric.telling(), OutsideUse.NEIGHBOUR));
    }

    @Test
    void everyKeyCanBeSet() {
        Map<String, String> file = Map.of(
                "yarn.interference.ingest.sample-max-age-heartbeats", "9",
                "yarn.interference.ingest.history-minutes", "60",
                "yarn.interference.ingest.history-metrics", "psimem, cpu",
                "yarn.interference.ingest.outside", "ignored");

        IngestSettings settings = IngestSettings.from(file::getOrDefault);

        assertThat(settings)
                .isEqualTo(new IngestSettings(
                        9,
                        1_048_576,
                        Duration.ofMinutes(10),
                        60,
                        List.of(NodeMetric.PSIMEM, NodeMetric.CPU),
                        OutsideUse.IGNORED));
        assertThat(IngestSettings.KEYS).extracting(ConfigKey::name).containsExactlyInAnyOrderElementsOf(file.keySet());
    }

    @Test
    void metricThatThereIsNotIsRefusedWithThoseThatThereAre() {
        Map<String, String> file = Map.of("yarn.interference.ingest.history-metrics", "cpu,temperature");

        assertThatThrownBy(() -> IngestSettings.from(file::getOrDefault))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("cpu,temperature")
                .hasMessageContaining("psimem");
    }
}
