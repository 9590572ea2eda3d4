package org.interference.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.capacity.GovernorSettings;
import org.interference.yarn.fixture.FakePredictor;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.Placement;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.rest.Control;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LiveSettingsTest {
    private static final String MODE = "yarn.interference.place.mode";
    private static final String QUEUE_MODES = "yarn.interference.place.queue-modes";
    private static final String CAPACITY_MODE = "yarn.interference.capacity.mode";
    private static final String SHARE = "yarn.interference.place.time-share";

    private final Map<String, String> files = new HashMap<>(Map.of(MODE, "shadow"));
    private Placement placement;
    private LiveSettings settings;
    private GovernorSettings capacity;

    @BeforeEach
    void start() {
        StartSettings start = StartSettings.from(files::getOrDefault);
        placement = new Placement(
                new Ingest(start.ingest(), Duration.ofSeconds(1), sample -> {}),
                new ProfileRepository(1),
                new FakePredictor(),
                start.place());
        settings = new LiveSettings(placement, next -> capacity = next, relocation -> {}, start, files::get);
    }

    @Test
    void changeIsInForceAtOnceAndShown() {
        settings.change(Map.of(MODE, "on", SHARE, "0.25"));

        assertThat(placement.gate().mode()).isEqualTo(Mode.ON);
        assertThat(setting(SHARE).value()).isEqualTo("0.25");
        assertThat(setting(SHARE).changed()).isTrue();
        assertThat(setting("yarn.interference.place.choices").changed()).isFalse();
    }

    @Test
    void oneWrongValueChangesNothing() {
        assertThatThrownBy(() -> settings.change(Map.of(MODE, "on", SHARE, "much")))
                .hasMessageContaining(SHARE)
                .hasMessageContaining("much");

        assertThat(placement.gate().mode()).isEqualTo(Mode.SHADOW);
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

    /** As {@code yarn rmadmin -refreshQueues}. */
    private void refresh() {
        settings.read(files::get, true).run();
    }

    /** As YARN, when somebody changes a queue. */
    private void readUnasked() {
        settings.read(files::get, false).run();
    }

    @Test
    void refreshTakesEveryChangeBack() {
        settings.change(Map.of(MODE, "on"));
        files.put(SHARE, "0.5");

        refresh();

        assertThat(placement.gate().mode()).isEqualTo(Mode.SHADOW);
        assertThat(setting(SHARE).value()).isEqualTo("0.5");
        assertThat(setting(MODE).changed()).isFalse();
    }

    @Test
    void whatIsChangedHoldsWhenSomebodyChangesAQueue() {
        files.put(QUEUE_MODES, "root.etl=on");
        start();

        settings.change(Map.of(MODE, "off", SHARE, "0.25"));
        settings.switchTo(Mode.SHADOW, Optional.of("root.etl"));
        readUnasked();
        assertThat(placement.gate().mode()).isEqualTo(Mode.OFF);
        settings.switchTo(Mode.ON, Optional.empty());
        files.put(MODE, "off");
        files.put(SHARE, "0.5");
        files.put("yarn.interference.place.choices", "7");
        readUnasked();

        assertThat(placement.gate().mode()).isEqualTo(Mode.ON);
        assertThat(placement.gate().mode("root.etl")).isEqualTo(Mode.SHADOW);
        assertThat(setting(SHARE).value()).isEqualTo("0.25");
        assertThat(setting(SHARE).changed()).isTrue();
        assertThat(setting("yarn.interference.place.choices").value())
                .as("what nobody has changed is as the files say")
                .isEqualTo("7");
        refresh();
        assertThat(placement.gate().mode()).isEqualTo(Mode.OFF);
        assertThat(placement.gate().mode("root.etl")).isEqualTo(Mode.ON);
        assertThat(setting(SHARE).value()).isEqualTo("0.5");
    }

    @Test
    void whatIsSwitchedOffStaysOffHoweverTheFilesAreReadAgain() {
        files.put(MODE, "on");
        start();

        settings.switchTo(Mode.OFF, Optional.empty());
        readUnasked();
        refresh();
        readUnasked();

        assertThat(placement.gate().isOff()).isTrue();
    }

    @Test
    void whatIsSwitchedOffByHandStaysOffWhenSomebodyChangesAQueue() {
        files.put(MODE, "on");
        files.put(QUEUE_MODES, "root.etl=on,root.serving=off");
        start();

        settings.switchTo(Mode.OFF, Optional.empty());
        assertThat(placement.gate().isOff()).as("off is for everything").isTrue();
        refresh();
        assertThat(placement.gate().isOff()).isTrue();
        assertThat(setting(MODE).changed()).isTrue();

        settings.switchTo(Mode.ON, Optional.empty());
        assertThat(placement.gate().mode("root.etl")).isEqualTo(Mode.ON);
        assertThat(placement.gate().mode("root.serving"))
                .as("as before everything was off")
                .isEqualTo(Mode.OFF);
        files.put(MODE, "shadow");
        refresh();
        assertThat(placement.gate().mode()).isEqualTo(Mode.SHADOW);
    }

    @Test
    void queueThatIsSwitchedOffByHandStaysOffUntilItIsSwitchedAgain() {
        files.put(QUEUE_MODES, "root.etl=on");
        start();

        settings.switchTo(Mode.OFF, Optional.of("root.etl"));
        settings.switchTo(Mode.ON, Optional.of("root.ad-hoc"));
        refresh();

        assertThat(placement.gate().mode("root.etl")).isEqualTo(Mode.OFF);
        assertThat(placement.gate().mode("root.ad-hoc")).isEqualTo(Mode.SHADOW);
        settings.switchTo(Mode.SHADOW, Optional.of("root.etl"));
        refresh();
        assertThat(placement.gate().mode("root.etl")).isEqualTo(Mode.ON);
    }

    @Test
    void queuesHaveTheModesAgainThatTheyHadBeforeEverythingWasSwitchedOff() {
        files.put(MODE, "on");
        start();

        settings.switchTo(Mode.SHADOW, Optional.of("root.etl"));
        settings.switchTo(Mode.OFF, Optional.empty());
        settings.switchTo(Mode.OFF, Optional.empty());
        assertThat(placement.gate().isOff()).isTrue();
        settings.switchTo(Mode.SHADOW, Optional.of("root.ad-hoc"));
        settings.switchTo(Mode.ON, Optional.empty());

        assertThat(placement.gate().mode()).isEqualTo(Mode.ON);
        assertThat(placement.gate().mode("root.etl")).isEqualTo(Mode.SHADOW);
        assertThat(placement.gate().mode("root.ad-hoc")).isEqualTo(Mode.SHADOW);
        settings.switchTo(Mode.OFF, Optional.empty());
        refresh();
        settings.change(Map.of(MODE, "on"));
        assertThat(placement.gate().mode("root.etl"))
                .as("a refresh takes back what was not switched off")
                .isEqualTo(Mode.ON);
    }

    @Test
    void whatIsOffStaysOffAlsoIfItIsSetToOffOnceMore() {
        files.put(MODE, "on");
        files.put(QUEUE_MODES, "root.etl=on");
        start();

        settings.switchTo(Mode.OFF, Optional.empty());
        settings.change(Map.of(MODE, "off", SHARE, "0.25"));
        refresh();

        assertThat(placement.gate().isOff()).isTrue();
        assertThat(setting(SHARE).changed()).isFalse();
        settings.switchTo(Mode.ON, Optional.empty());
        refresh();
        assertThat(placement.gate().mode()).isEqualTo(Mode.ON);
    }

    @Test
    void whatASettingSwitchesOffStaysOffAndNothingElse() {
        files.put(MODE, "on");
        files.put(QUEUE_MODES, "root.etl=on");
        start();

        settings.change(Map.of(MODE, " OFF "));
        refresh();

        assertThat(placement.gate().mode()).isEqualTo(Mode.OFF);
        assertThat(placement.gate().mode("root.etl"))
                .as("a queue with a mode of its own")
                .isEqualTo(Mode.ON);
        settings.change(Map.of(MODE, "shadow"));
        refresh();
        assertThat(placement.gate().mode()).isEqualTo(Mode.ON);
    }

    @Test
    void queuesThatASettingSwitchesOffStayOffUntilItSaysOtherwise() {
        files.put(QUEUE_MODES, "root.etl=on");
        start();

        settings.change(Map.of(QUEUE_MODES, "root.etl=off,root.serving=Off,root.ad-hoc=on"));
        refresh();

        assertThat(placement.gate().mode("root.etl")).isEqualTo(Mode.OFF);
        assertThat(placement.gate().mode("root.serving")).isEqualTo(Mode.OFF);
        assertThat(placement.gate().mode("root.ad-hoc")).isEqualTo(Mode.SHADOW);
        settings.change(Map.of(QUEUE_MODES, "root.serving=off"));
        refresh();
        assertThat(placement.gate().mode("root.etl")).isEqualTo(Mode.ON);
        assertThat(placement.gate().mode("root.serving")).isEqualTo(Mode.OFF);
    }

    @Test
    void settingThatLiftsOffGivesQueuesTheModesThatTheyHad() {
        files.put(MODE, "on");
        files.put(QUEUE_MODES, "root.serving=off");
        start();

        settings.switchTo(Mode.OFF, Optional.empty());
        settings.change(Map.of(MODE, "on"));

        assertThat(placement.gate().mode()).isEqualTo(Mode.ON);
        assertThat(placement.gate().mode("root.serving")).isEqualTo(Mode.OFF);
    }

    @Test
    void wrongValueBesideOffSwitchesNothingOffForLater() {
        files.put(MODE, "on");
        start();

        assertThatThrownBy(() -> settings.change(Map.of(MODE, "off", SHARE, "much")))
                .hasMessageContaining(SHARE);
        refresh();

        assertThat(placement.gate().mode()).isEqualTo(Mode.ON);
    }

    @Test
    void readingTheSameSettingsAgainDoesNotCloseTheBreaker() {
        files.put(MODE, "on");
        start();
        for (int i = 0; i < placement.gate().settings().breakerErrors(); i++) {
            placement.gate().failed(new IllegalStateException("broken"));
        }

        readUnasked();
        refresh();
        assertThat(placement.gate().mode()).isEqualTo(Mode.SHADOW);

        files.put(SHARE, "0.5");
        refresh();
        assertThat(placement.gate().mode()).isEqualTo(Mode.ON);
    }

    @Test
    void wrongValueIsToldAndWhatIsInForceStays() {
        settings.change(Map.of(SHARE, "0.25"));
        files.put(MODE, "on");
        files.put(SHARE, "5%");

        assertThatThrownBy(() -> settings.read(files::get, true)).hasMessageContaining("5%");

        assertThat(placement.gate().mode()).isEqualTo(Mode.SHADOW);
        assertThat(setting(SHARE).value()).isEqualTo("0.25");
        assertThat(settings.problem()).hasValueSatisfying(problem -> assertThat(problem)
                .startsWith("the settings before stay until they are refreshed: " + SHARE + " is '5%' but must be"));
        files.put(SHARE, "0.5");
        refresh();
        assertThat(settings.problem()).isEmpty();
        assertThat(placement.gate().mode()).isEqualTo(Mode.ON);
    }

    @Test
    void wrongValueAtStartSwitchesOffAndChangesNoOtherSetting() {
        files.putAll(
                Map.of(MODE, "on", QUEUE_MODES, "root.etl=on", SHARE, "5%", "yarn.interference.place.choices", "7"));
        start();

        assertThat(placement.gate().isOff()).isTrue();
        assertThat(placement.gate().settings().choices()).isEqualTo(7);
        assertThat(settings.problem()).hasValueSatisfying(problem -> assertThat(problem)
                .startsWith("every queue is off until they are refreshed: " + SHARE + " is '5%' but must be"));
        files.put(SHARE, "0.5");
        refresh();
        assertThat(settings.problem()).isEmpty();
        assertThat(placement.gate().mode("root.etl")).isEqualTo(Mode.ON);
    }

    @Test
    void wrongValueThatIsReadOnceKeepsEverythingOffUntilARestart() {
        files.putAll(Map.of(
                MODE,
                "on",
                "yarn.interference.profile.max-profiles",
                "lots",
                "yarn.interference.predict.predictor",
                "no.Such"));
        start();

        assertThat(placement.gate().isOff()).isTrue();
        assertThat(settings.problem()).hasValueSatisfying(problem -> assertThat(problem)
                .startsWith("every queue is off until the ResourceManager restarts: ")
                .contains("max-profiles is 'lots'")
                .contains("predictor is 'no.Such'"));
        assertThatThrownBy(() -> settings.switchTo(Mode.ON, Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("until the ResourceManager restarts");
        refresh();
        assertThat(placement.gate().isOff()).isTrue();
    }

    /** A line that does not parse still names the queues that somebody may not see. */
    @Test
    void whatAnybodyIsToldOfAWrongSettingNamesNoQueue() {
        files.put(QUEUE_MODES, "root.secret=on,root.hr=shadw");
        files.put(SHARE, "5%");
        start();

        assertToldWithoutQueues("every queue is off until they are refreshed: ");

        Map<String, String> mended = new HashMap<>(Map.of(MODE, "shadow"));
        settings.read(mended::get, true).run();
        assertThat(settings.problemToAnybody()).isEmpty();
        assertThatThrownBy(() -> settings.read(files::get, true)).hasMessageContaining("must be");
        assertToldWithoutQueues("the settings before stay until they are refreshed: ");
    }

    private void assertToldWithoutQueues(String start) {
        assertThat(settings.problemToAnybody()).hasValueSatisfying(problem -> assertThat(problem)
                .startsWith(start)
                .contains(SHARE + " is '5%' but must be", QUEUE_MODES + " is not a list like")
                .doesNotContain("root.secret", "root.hr", "shadw"));
        assertThat(settings.problem()).hasValueSatisfying(problem -> assertThat(problem)
                .startsWith(start)
                .contains(SHARE + " is '5%'", QUEUE_MODES + " is 'root.secret=on,root.hr=shadw'"));
    }

    @Test
    void queueIsSwitchedWithoutTheOthers() {
        files.put("yarn.interference.place.queue-modes", "root.a=off, root.b = shadow");

        settings.switchTo(Mode.ON, Optional.of("root.b"));
        settings.switchTo(Mode.ON, Optional.of("root.c"));

        assertThat(placement.gate().mode("root.a")).isEqualTo(Mode.OFF);
        assertThat(placement.gate().mode("root.b.below")).isEqualTo(Mode.ON);
        assertThat(placement.gate().mode("root.c")).isEqualTo(Mode.ON);
        assertThat(placement.gate().mode("root.d")).isEqualTo(Mode.SHADOW);
    }

    @Test
    void queueThatCannotBeOneIsRefused() {
        for (String queue : new String[] {"", "etl", "root.a=on,root.b", "root.a,root.b"}) {
            assertThatThrownBy(() -> settings.switchTo(Mode.ON, Optional.of(queue)))
                    .as(queue)
                    .isInstanceOf(RuntimeException.class)
                    .hasMessageContaining("queue-modes");
        }
        assertThat(placement.gate().anybodyIn(Mode.ON)).isFalse();
    }

    private Control.Setting setting(String name) {
        return settings.settings().stream()
                .filter(setting -> setting.key().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void nodesAreResizedByWhatIsSetAndNeverByASettingThatIsWrong() {
        settings.change(Map.of(CAPACITY_MODE, "on"));
        assertThat(capacity.mode()).isEqualTo(Mode.ON);

        assertThatThrownBy(() -> settings.change(Map.of(CAPACITY_MODE, "large")))
                .hasMessageContaining(CAPACITY_MODE);
        assertThat(capacity.mode()).isEqualTo(Mode.ON);

        files.put(CAPACITY_MODE, "shadow");
        refresh();
        assertThat(capacity.mode()).isEqualTo(Mode.SHADOW);

        files.put("yarn.interference.capacity.label-modes", "gpu=on");
        files.put(CAPACITY_MODE, "large");
        assertThatThrownBy(this::refresh).hasMessageContaining(CAPACITY_MODE);
        assertThat(capacity.mode()).isEqualTo(Mode.SHADOW);
        assertThat(StartSettings.from(files::getOrDefault).capacity().isOff()).isTrue();
    }
}
