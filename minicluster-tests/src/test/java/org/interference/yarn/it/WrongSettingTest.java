package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.config.ConfigException;
import org.interference.yarn.place.Mode;
import org.interference.yarn.rest.RestHost;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A wrong setting is refused in one sentence: at start the ResourceManager stops, at a refresh the old one stays. */
@Timeout(120)
class WrongSettingTest {
    private final YarnConfiguration conf = new YarnConfiguration();

    @BeforeEach
    void ourScheduler() {
        conf.set(YarnConfiguration.RM_SCHEDULER, InterferenceAwareScheduler.class.getName());
        conf.setBoolean("yarn.scheduler.capacity.schedule-asynchronously.enable", false);
    }

    @Test
    void stopsTheResourceManagerAtStart() {
        conf.set("yarn.interference.ingest.clock-skew-warning-ms", "0");

        assertThatThrownBy(() -> new MockRM(conf).start())
                .isInstanceOf(ConfigException.class)
                .hasMessage("yarn.interference.ingest.clock-skew-warning-ms is '0' but must be a whole number of"
                        + " milliseconds, at least 1000 (default: 600000)");
    }

    @Test
    void aPredictorThatIsNotOnTheClassPathStopsTheResourceManagerAtStart() {
        conf.set("yarn.interference.predict.predictor", "com.example.Missing");

        assertThatThrownBy(() -> new MockRM(conf).start())
                .hasStackTraceContaining("yarn.interference.predict.predictor is 'com.example.Missing' but must be");
    }

    @Test
    void atARefreshIsRefusedAndTheOldOneStays() throws Exception {
        conf.set("yarn.interference.place.mode", "on");
        try (MockRM rm = new MockRM(conf)) {
            rm.start();
            YarnConfiguration wrong = new YarnConfiguration(conf);
            wrong.set("yarn.interference.place.mode", "maybe");

            assertThatThrownBy(() -> rm.getResourceScheduler().reinitialize(wrong, rm.getRMContext()))
                    .hasMessage("yarn.interference.place.mode is 'maybe' but must be one of off, shadow, on"
                            + " (default: shadow)");

            assertThat(mode(rm)).isEqualTo(Mode.ON);
        }
    }

    @Test
    void aRefreshSwitchesTheModeWhileTheResourceManagerRuns() throws Exception {
        conf.set("yarn.interference.place.mode", "on");
        try (MockRM rm = new MockRM(conf)) {
            rm.start();
            YarnConfiguration off = new YarnConfiguration(conf);
            off.set("yarn.interference.place.mode", "off");

            rm.getResourceScheduler().reinitialize(off, rm.getRMContext());

            assertThat(mode(rm)).isEqualTo(Mode.OFF);
        }
    }

    private static Mode mode(MockRM rm) {
        return ((RestHost) rm.getResourceScheduler())
                .restSources()
                .orElseThrow()
                .placement()
                .mode();
    }
}
