package org.interference.yarn.nm.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.config.ConfigKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeSettingsTest {
    @Test
    void defaultsAreDocumented() {
        assertThat(NodeSettings.from((key, fallback) -> null))
                .isEqualTo(new NodeSettings(
                        Duration.ofSeconds(1), Optional.of(Path.of("/run/intpd/intpd.sock")), OptionalLong.empty()));
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
                "yarn.interference.nm.collect.socket", "/tmp/s",
                "yarn.interference.nm.collect.network-bits-per-second", "25000000000");

        assertThat(NodeSettings.from(set::getOrDefault))
                .isEqualTo(new NodeSettings(
                        Duration.ofMillis(250), Optional.of(Path.of("/tmp/s")), OptionalLong.of(25_000_000_000L)));
    }

    @Test
    void noneSwitchesTheCollectorOff() {
        NodeSettings settings = NodeSettings.from(Map.of("yarn.interference.nm.collect.socket", "none")::getOrDefault);

        assertThat(settings.collectorSocket()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "intpd.sock", "/run/\0", "/a-path-of-108-bytes-%s"})
    void whatIsNoPathOfASocketIsRefusedInOneSentence(String path) {
        assertThatThrownBy(() -> NodeSettings.from(Map.of(
                        "yarn.interference.nm.collect.socket", path.replace("%s", "x".repeat(87)))::getOrDefault))
                .isInstanceOf(ConfigException.class)
                .hasMessageEndingWith("but must be an absolute path of at most 107 bytes, or 'none'"
                        + " (default: /run/intpd/intpd.sock)");
    }

    @Test
    void intervalUnderTheLimitIsRefusedInOneSentence() {
        assertThatThrownBy(() ->
                        NodeSettings.from(Map.of("yarn.interference.nm.collect.interval-ms", "100")::getOrDefault))
                .isInstanceOf(ConfigException.class)
                .hasMessage("yarn.interference.nm.collect.interval-ms is '100' but must be a whole number of"
                        + " milliseconds, at least 200, or 'heartbeat' (default: heartbeat)");
    }

    @ParameterizedTest
    @CsvSource({"3000, 3000", "50, 200", "soon, 1000", "'', 1000"})
    void intervalFollowsTheHeartbeatsUnlessItIsSet(String heartbeats, long millis) {
        String key = "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms";

        assertThat(NodeSettings.from(Map.of(key, heartbeats)::getOrDefault).interval())
                .isEqualTo(Duration.ofMillis(millis));
        assertThat(NodeSettings.from(
                                Map.of(key, heartbeats, "yarn.interference.nm.collect.interval-ms", "700")
                                        ::getOrDefault)
                        .interval())
                .isEqualTo(Duration.ofMillis(700));
    }

    @ParameterizedTest
    @CsvSource({
        "1000, 4000, false",
        "1000, 4001, true",
        "3000, 12000, false",
        "200, 1000, true",
        "1000, heartbeat, false"
    })
    void anIntervalOfMoreThanFourHeartbeatsIsWarnedOf(String heartbeats, String interval, boolean warned) {
        Map<String, String> set = Map.of(
                "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", heartbeats,
                "yarn.interference.nm.collect.interval-ms", interval);

        assertThat(NodeSettings.from(set::getOrDefault)
                        .tooSeldom(set::getOrDefault)
                        .isPresent())
                .isEqualTo(warned);
    }

    @Test
    void whatNoNodeManagerReadsIsToldAndWhatTheResourceManagerReadsIsNot() {
        Map<String, String> set = Map.of(
                "yarn.interference.nm.heartbeat.short-task-ms", "0",
                "yarn.interference.node-control.cache-percent", "50",
                "yarn.interference.nm.collect.socket", "none",
                "yarn.interference.node-control.mode", "on",
                "yarn.interference.place.mode", "on");

        assertThat(NodeSettings.unknown(set.entrySet()))
                .containsExactly(
                        "yarn.interference.nm.heartbeat.short-task-ms is no setting (any more) and has no effect",
                        "yarn.interference.node-control.cache-percent is no setting (any more) and has no effect");
    }
}
