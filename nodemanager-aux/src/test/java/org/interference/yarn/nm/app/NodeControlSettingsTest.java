package org.interference.yarn.nm.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.config.ConfigKey;
import org.interference.yarn.nm.control.BlockedClassifier;
import org.interference.yarn.nm.control.ControlSettings;
import org.interference.yarn.nm.control.CoreAllocator;
import org.interference.yarn.nm.control.CoreSharing;
import org.interference.yarn.nm.control.Ctbra;
import org.interference.yarn.nm.control.DiskShares;
import org.interference.yarn.nm.control.LearnedClassifier;
import org.interference.yarn.nm.control.Sbcc;
import org.junit.jupiter.api.Test;

class NodeControlSettingsTest {
    private static final String PREFIX = "yarn.interference.node-control.";

    @Test
    void withoutASettingNothingIsControlled() {
        NodeControlSettings settings = read(Map.of());

        assertThat(settings.mode()).isEqualTo(NodeControlSettings.Mode.OFF);
        assertThat(settings.control())
                .isEqualTo(new ControlSettings(
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(30),
                        LearnedClassifier.INSTANCE,
                        Optional.of(new CoreAllocator(1, CoreSharing.SAME_CORE)),
                        Optional.of(new DiskShares(0.1)),
                        OptionalDouble.empty(),
                        Duration.ofMinutes(1),
                        Duration.ofHours(1)));
    }

    @Test
    void defaultsAreDocumented() {
        assertThat(NodeControlSettings.KEYS).hasSize(7).allSatisfy(key -> assertThat(key.doc())
                .isNotBlank());
        assertThat(NodeControlSettings.KEYS)
                .extracting(ConfigKey::name)
                .allMatch(name -> name.startsWith(PREFIX))
                .doesNotHaveDuplicates();
    }

    @Test
    void everyKeyCanBeSet() {
        NodeControlSettings settings = read(Map.of(
                "mode", "dry-run",
                "classifier", "blocked-io",
                "mu", "3",
                "core-sharing", "apart",
                "disk-floor", "0.2",
                "disk-bytes-per-second", "1000000"));

        assertThat(settings)
                .isEqualTo(new NodeControlSettings(
                        NodeControlSettings.Mode.DRY_RUN,
                        new ControlSettings(
                                Duration.ofSeconds(3),
                                Duration.ofSeconds(30),
                                new BlockedClassifier(0.5),
                                Optional.of(new CoreAllocator(3, CoreSharing.APART)),
                                Optional.of(new DiskShares(0.2)),
                                OptionalDouble.of(1_000_000),
                                Duration.ofMinutes(1),
                                Duration.ofHours(1))));
        assertThat(read(Map.of("mu", "0", "disk-floor", "0")).control().changesNothing())
                .isTrue();
    }

    /** Table 4 of the paper; what belongs to our rule does not change it. */
    @Test
    void thePublishedRuleIsThePapersWithItsParameters() {
        ControlSettings published = new ControlSettings(
                Duration.ofSeconds(5),
                Duration.ofSeconds(30),
                new Sbcc(30),
                Optional.of(new Ctbra(2)),
                Optional.of(new DiskShares(0.1)),
                OptionalDouble.empty(),
                Duration.ofMinutes(1),
                Duration.ofHours(1));

        assertThat(read(Map.of("rule", "published")).control()).isEqualTo(published);
        assertThat(read(Map.of("rule", "published", "classifier", "blocked-io", "mu", "7"))
                        .control())
                .isEqualTo(published);
    }

    @Test
    void aWrongChoiceNamesTheRightOnes() {
        assertThatThrownBy(() -> read(Map.of("mode", "sometimes")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("off, dry-run, on");
    }

    private static NodeControlSettings read(Map<String, String> set) {
        return NodeControlSettings.from(
                (name, fallback) -> set.getOrDefault(name.substring(PREFIX.length()), fallback));
    }
}
