package org.interference.yarn.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.config.ConfigKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileSettingsTest {
    @Test
    void defaultsAreDocumented() {
        ProfileSettings settings = ProfileSettings.from((name, fallback) -> fallback);

        assertThat(settings)
                .isEqualTo(new ProfileSettings(
                        "${hadoop.tmp.dir}/yarn/system/interference",
                        1,
                        100,
                        100_000,
                        Duration.ofDays(90),
                        ClusterCount.BEST,
                        SharedTags.NONE));
    }

    @Test
    void everyKeyCanBeSet() {
        Map<String, String> file = Map.of(
                "yarn.interference.profile.store-dir", "/data/profiles",
                "yarn.interference.profile.max-profiles", "700",
                "yarn.interference.profile.stale-after-ms", "70000",
                "yarn.interference.profile.clusters", "4",
                "yarn.interference.profile.shared-tags", "etl, nightly");

        ProfileSettings settings = ProfileSettings.from(file::getOrDefault);

        assertThat(settings)
                .isEqualTo(new ProfileSettings(
                        "/data/profiles",
                        1,
                        100,
                        700,
                        Duration.ofSeconds(70),
                        new ClusterCount(4, false),
                        new SharedTags(false, Set.of("etl", "nightly"))));
        assertThat(ProfileSettings.KEYS).extracting(ConfigKey::name).containsExactlyInAnyOrderElementsOf(file.keySet());
    }

    @ParameterizedTest
    @CsvSource({"best, 40, 0", "nodes, 40, 40", "nodes, 1, 2", "nodes, 10000, 64", "7, 40, 7"})
    void clustersAreAsManyAsLookBestAsThereAreNodesOrAsIsSaid(String setting, int nodes, int clusters) {
        Map<String, String> file = Map.of("yarn.interference.profile.clusters", setting);

        assertThat(ProfileSettings.from(file::getOrDefault).clusters().of(nodes))
                .isEqualTo(clusters);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "etl,", "ifc:etl"})
    void tagsThatAreNoneAreRefused(String setting) {
        Map<String, String> file = Map.of("yarn.interference.profile.shared-tags", setting);

        assertThatThrownBy(() -> ProfileSettings.from(file::getOrDefault))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("'none', 'all' or names of tags");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "65", "-3", "many", "4.5"})
    void numberOfClustersThatIsNoneIsRefused(String setting) {
        Map<String, String> file = Map.of("yarn.interference.profile.clusters", setting);

        assertThatThrownBy(() -> ProfileSettings.from(file::getOrDefault))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("'best', 'nodes' or a whole number from 2 to 64");
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
