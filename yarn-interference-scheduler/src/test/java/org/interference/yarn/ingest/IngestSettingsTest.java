package org.interference.yarn.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.interference.yarn.config.ConfigKey;
import org.junit.jupiter.api.Test;

class IngestSettingsTest {
    @Test
    void defaultsAreDocumented() {
        IngestSettings settings = IngestSettings.from((name, fallback) -> fallback);

        assertThat(settings).isEqualTo(new IngestSettings(5, 1_048_576, Duration.ofMinutes(10)));
    }

    @Test
    void everyKeyCanBeSet() {
        Map<String, String> file = Map.of("yarn.interference.ingest.sample-max-age-heartbeats", "9");

        IngestSettings settings = IngestSettings.from(file::getOrDefault);

        assertThat(settings).isEqualTo(new IngestSettings(9, 1_048_576, Duration.ofMinutes(10)));
        assertThat(IngestSettings.KEYS).extracting(ConfigKey::name).containsExactlyInAnyOrderElementsOf(file.keySet());
    }
}
