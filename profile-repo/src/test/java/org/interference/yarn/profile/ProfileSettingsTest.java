package org.interference.yarn.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.config.ConfigKey;
import org.junit.jupiter.api.Test;

class ProfileSettingsTest {
    @Test
    void defaultsAreDocumented() {
        ProfileSettings settings = ProfileSettings.from((name, fallback) -> fallback);

        assertThat(settings)
                .isEqualTo(new ProfileSettings(
                        "${hadoop.tmp.dir}/yarn/system/interference", 1, 100, 100_000, Duration.ofDays(90)));
    }

    @Test
    void everyKeyCanBeSet() {
        Map<String, String> file = Map.of(
                "yarn.interference.profile.store-dir", "/data/profiles",
                "yarn.interference.profile.max-profiles", "700",
                "yarn.interference.profile.stale-after-ms", "70000");

        ProfileSettings settings = ProfileSettings.from(file::getOrDefault);

        assertThat(settings).isEqualTo(new ProfileSettings("/data/profiles", 1, 100, 700, Duration.ofSeconds(70)));
        assertThat(ProfileSettings.KEYS).extracting(ConfigKey::name).containsExactlyInAnyOrderElementsOf(file.keySet());
    }

    @Test
    void tooFewProfilesAreRefused() {
        Map<String, String> file = Map.of("yarn.interference.profile.max-profiles", "99");

        assertThatThrownBy(() -> ProfileSettings.from(file::getOrDefault))
                .isInstanceOf(ConfigException.class)
                .hasMessage("yarn.interference.profile.max-profiles is '99' but must be a whole number from 100 to"
                        + " 10000000 (default: 100000)");
    }
}
