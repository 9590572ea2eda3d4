package org.interference.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.IngestSettings;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.PlaceSettings;
import org.interference.yarn.place.Placement;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.rest.Control;
import org.junit.jupiter.api.Test;

class LiveSettingsTest {
    private static final String MODE = "yarn.interference.place.mode";
    private static final String GAIN = "yarn.interference.place.min-gain";

    private final Map<String, String> files = new HashMap<>(Map.of(MODE, "shadow"));
    private final Placement placement = new Placement(
            new Ingest(new IngestSettings(5, 4096, Duration.ofMinutes(10)), Duration.ofSeconds(1), sample -> {}),
            new ProfileRepository(1),
            new FakePredictor(),
            PlaceSettings.from((name, fallback) -> files.getOrDefault(name, fallback)));
    private final LiveSettings settings = new LiveSettings(placement, files::get);

    @Test
    void changeIsInForceAtOnceAndShown() {
        settings.change(Map.of(MODE, "on", GAIN, "0.25"));

        assertThat(placement.mode()).isEqualTo(Mode.ON);
        assertThat(setting(GAIN).value()).isEqualTo("0.25");
        assertThat(setting(GAIN).changed()).isTrue();
        assertThat(setting("yarn.interference.place.choices").changed()).isFalse();
    }

    @Test
    void oneWrongValueChangesNothing() {
        assertThatThrownBy(() -> settings.change(Map.of(MODE, "on", GAIN, "much")))
                .hasMessageContaining(GAIN)
                .hasMessageContaining("much");

        assertThat(placement.mode()).isEqualTo(Mode.SHADOW);
        assertThat(setting(MODE).value()).isEqualTo("shadow");
    }

    @Test
    void whatIsReadOnceCannotChange() {
        assertThatThrownBy(() -> settings.change(Map.of("yarn.interference.predict.predictor", "prior")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot change");
        assertThatThrownBy(() -> settings.change(Map.of("yarn.interference.place.no-such", "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no setting");
    }

    @Test
    void readingTheFilesAgainTakesEveryChangeBack() {
        settings.change(Map.of(MODE, "on"));
        files.put(GAIN, "0.5");

        settings.reread(files::get);

        assertThat(placement.mode()).isEqualTo(Mode.SHADOW);
        assertThat(setting(GAIN).value()).isEqualTo("0.5");
        assertThat(setting(MODE).changed()).isFalse();
    }

    @Test
    void queueIsSwitchedWithoutTheOthers() {
        files.put("yarn.interference.place.queue-modes", "root.a=off, root.b = shadow");

        settings.switchTo(Mode.ON, Optional.of("root.b"));
        settings.switchTo(Mode.ON, Optional.of("root.c"));

        assertThat(placement.mode("root.a")).isEqualTo(Mode.OFF);
        assertThat(placement.mode("root.b.below")).isEqualTo(Mode.ON);
        assertThat(placement.mode("root.c")).isEqualTo(Mode.ON);
        assertThat(placement.mode("root.d")).isEqualTo(Mode.SHADOW);
    }

    @Test
    void queueThatCannotBeOneIsRefused() {
        for (String queue : new String[] {"", "etl", "root.a=on,root.b", "root.a,root.b"}) {
            assertThatThrownBy(() -> settings.switchTo(Mode.ON, Optional.of(queue)))
                    .as(queue)
                    .isInstanceOf(RuntimeException.class)
                    .hasMessageContaining("queue-modes");
        }
        assertThat(placement.anybodyIn(Mode.ON)).isFalse();
    }

    private Control.Setting setting(String name) {
        return settings.settings().stream()
                .filter(setting -> setting.key().name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
