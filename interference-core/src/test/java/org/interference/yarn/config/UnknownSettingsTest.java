package org.interference.yarn.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UnknownSettingsTest {
    private static final List<ConfigKey<?>> KNOWN = List.of(
            ConfigKey.text("yarn.interference.place.mode", "on", "a mode", "A mode."),
            ConfigKey.text("yarn.interference.nm.collect.socket", "none", "a path", "A socket."));

    @Test
    void eachNameThatIsNoSettingIsToldInASentence() {
        assertThat(among("yarn.interference.place.moed", "yarn.interference.nm.heartbeat.short-task-ms"))
                .containsExactly(
                        "yarn.interference.nm.heartbeat.short-task-ms is no setting (any more) and has no effect",
                        "yarn.interference.place.moed is no setting (any more) and has no effect");
    }

    @Test
    void settingsOfOursOfYarnsAndOfOtherStagesAreNot() {
        assertThat(among(
                        "yarn.interference.place.mode",
                        "yarn.interference.nm.collect.socket",
                        "yarn.interference.placement.mode",
                        "yarn.interference.profile.store-dir",
                        "yarn.interference",
                        "yarn.interference.place",
                        "yarn.scheduler.place.moed",
                        ""))
                .isEmpty();
    }

    private static List<String> among(String... names) {
        Map<String, String> set = new TreeMap<>();
        for (String name : names) {
            set.put(name, "x");
        }
        return UnknownSettings.among(set.entrySet(), KNOWN);
    }
}
