package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.yarn.LocalConfigurationProvider;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.api.protocolrecords.RefreshQueuesRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Logger;
import org.interference.yarn.InterferenceAwareFairScheduler;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.Placement;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.rest.Sources;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A wrong setting is told in one sentence, and no ResourceManager is kept from its work by it. */
class WrongSettingTest {
    private static final String MODE = "yarn.interference.place.mode";
    private static final String SHARE = "yarn.interference.place.time-share";
    private static final HAServiceProtocol.StateChangeRequestInfo BY_USER =
            new HAServiceProtocol.StateChangeRequestInfo(HAServiceProtocol.RequestSource.REQUEST_BY_USER);

    private final YarnConfiguration conf = new YarnConfiguration();

    /** The yarn-site.xml that a ResourceManager reads again. */
    public static final class Site extends LocalConfigurationProvider {
        private static volatile byte[] xml = {};

        static void write(Configuration settings) throws IOException {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            settings.writeXml(out);
            xml = out.toByteArray();
        }

        @Override
        public InputStream getConfigurationInputStream(Configuration settings, String file)
                throws YarnException, IOException {
            return file.equals(YarnConfiguration.YARN_SITE_CONFIGURATION_FILE)
                    ? new ByteArrayInputStream(xml)
                    : super.getConfigurationInputStream(settings, file);
        }
    }

    @BeforeEach
    void ourScheduler() throws IOException {
        conf.set(YarnConfiguration.RM_SCHEDULER, InterferenceAwareScheduler.class.getName());
        conf.setBoolean("yarn.scheduler.capacity.schedule-asynchronously.enable", false);
        conf.set(YarnConfiguration.RM_CONFIGURATION_PROVIDER_CLASS, Site.class.getName());
        conf.set(MODE, "on");
        Site.write(conf);
    }

    @AfterEach
    void nobodyCalls() {
        Server.getCurCall().remove();
    }

    @ParameterizedTest
    @ValueSource(classes = {InterferenceAwareScheduler.class, InterferenceAwareFairScheduler.class})
    void standbyBecomesActiveWithTheSettingsItHad(Class<?> scheduler) throws Exception {
        conf.set(YarnConfiguration.RM_SCHEDULER, scheduler.getName());
        pair();
        try (MockRM rm = new MockRM(conf)) {
            rm.start();
            write(SHARE, "5%");
            write(MODE, "off");
            // That is how an administrator, or YARN's own elector, asks for it.
            asIfByRpc();

            rm.getRMContext().getRMAdminService().transitionToActive(BY_USER);

            assertThat(rm.getRMContext().getHAServiceState()).isEqualTo(HAServiceProtocol.HAServiceState.ACTIVE);
            assertThat(placement(rm).gate().mode()).isEqualTo(Mode.ON);
            assertThat(problem(rm))
                    .isEqualTo("the settings before stay until they are refreshed: " + SHARE
                            + " is '5%' but must be a number from 0.001 to 1.0 (default: 0.05)");

            write(SHARE, "0.04");
            rm.getRMContext().getRMAdminService().refreshQueues(RefreshQueuesRequest.newInstance());

            assertThat(placement(rm).gate().mode()).isEqualTo(Mode.OFF);
            assertThat(sources(rm).control().problem()).isEmpty();
        }
    }

    @Test
    void atStartEverythingIsOffUntilItIsMendedAndTheResourceManagerRuns() throws Exception {
        conf.set(SHARE, "5%");
        Site.write(conf);
        try (MockRM rm = new MockRM(conf)) {
            rm.start();

            assertThat(placement(rm).gate().isOff()).isTrue();
            assertThat(problem(rm)).startsWith("every queue is off until they are refreshed: " + SHARE + " is '5%'");

            write(SHARE, "0.04");
            rm.getRMContext().getRMAdminService().refreshQueues();

            assertThat(placement(rm).gate().mode()).isEqualTo(Mode.ON);
        }
    }

    @Test
    void aSettingThatNobodyReadsIsToldOnceAndKeepsNothingOff() throws Exception {
        conf.set("yarn.interference.place.min-gain", "5%");
        Site.write(conf);
        List<String> logged = new CopyOnWriteArrayList<>();
        AppenderSkeleton appender = new RestAccessTest.Remembering(logged);
        Logger.getLogger("org.interference.yarn.app").addAppender(appender);
        try (MockRM rm = new MockRM(conf)) {
            rm.start();
            rm.getRMContext().getRMAdminService().refreshQueues();

            assertThat(placement(rm).gate().mode()).isEqualTo(Mode.ON);
        } finally {
            Logger.getLogger("org.interference.yarn.app").removeAppender(appender);
        }
        assertThat(logged)
                .filteredOn(line -> line.contains("min-gain"))
                .containsExactly("yarn.interference.place.min-gain is no setting (any more) and has no effect");
    }

    @Test
    void aPredictorThatIsNotOnTheClassPathLeavesEverythingOff() throws Exception {
        conf.set("yarn.interference.predict.predictor", "com.example.Missing");
        try (MockRM rm = new MockRM(conf)) {
            rm.start();

            assertThat(placement(rm).gate().isOff()).isTrue();
            assertThat(problem(rm))
                    .startsWith("every queue is off until the ResourceManager restarts: "
                            + "yarn.interference.predict.predictor is 'com.example.Missing' but must be");
        }
    }

    @Test
    void whoAsksForARefreshIsToldAndTheOldOneStays() throws Exception {
        try (MockRM rm = new MockRM(conf)) {
            rm.start();
            write(MODE, "maybe");
            asIfByRpc();

            assertThatThrownBy(() ->
                            rm.getRMContext().getRMAdminService().refreshQueues(RefreshQueuesRequest.newInstance()))
                    .hasStackTraceContaining(
                            MODE + " is 'maybe' but must be one of off, shadow, on" + " (default: shadow)");

            assertThat(placement(rm).gate().mode()).isEqualTo(Mode.ON);
        }
    }

    @Test
    void whoChangesAQueueIsNotStoppedByOurSetting() throws Exception {
        try (MockRM rm = new MockRM(conf)) {
            rm.start();
            write(MODE, "maybe");

            // As RMWebServices and QueueConfigurationAutoRefreshPolicy do.
            rm.getRMContext().getRMAdminService().refreshQueues();

            assertThat(placement(rm).gate().mode()).isEqualTo(Mode.ON);
            assertThat(problem(rm)).contains("maybe");
        }
    }

    @Test
    void aRefreshThatTheParentRefusesChangesNothingOfOurs() throws Exception {
        try (MockRM rm = new MockRM(conf)) {
            rm.start();
            write(MODE, "off");
            write("yarn.scheduler.capacity.root.queues", "");
            write("yarn.scheduler.minimum-allocation-mb", "-1");

            assertThatThrownBy(() -> rm.getRMContext().getRMAdminService().refreshQueues())
                    .isInstanceOf(Exception.class);

            assertThat(placement(rm).gate().mode()).isEqualTo(Mode.ON);
        }
    }

    @Test
    void aRefreshSwitchesTheModeWhileTheResourceManagerRuns() throws Exception {
        try (MockRM rm = new MockRM(conf)) {
            rm.start();
            write(MODE, "off");

            rm.getRMContext().getRMAdminService().refreshQueues();

            assertThat(placement(rm).gate().mode()).isEqualTo(Mode.OFF);
        }
    }

    @Test
    void whatWasChangedByHandHoldsWhenSomebodyChangesAQueueUntilAnOperatorRefreshes() throws Exception {
        try (MockRM rm = new MockRM(conf)) {
            rm.start();
            sources(rm).control().switchTo(Mode.SHADOW, Optional.empty());

            // As RMWebServices and QueueConfigurationAutoRefreshPolicy do.
            rm.getRMContext().getRMAdminService().refreshQueues();
            assertThat(placement(rm).gate().mode()).isEqualTo(Mode.SHADOW);

            asIfByRpc();
            rm.getRMContext().getRMAdminService().refreshQueues(RefreshQueuesRequest.newInstance());
            assertThat(placement(rm).gate().mode()).isEqualTo(Mode.ON);
        }
    }

    private void pair() throws IOException {
        conf.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
        conf.setBoolean(YarnConfiguration.AUTO_FAILOVER_ENABLED, false);
        conf.set(YarnConfiguration.RM_CLUSTER_ID, "pair");
        conf.set(YarnConfiguration.RM_HA_IDS, "rm0,rm1");
        conf.set(YarnConfiguration.RM_HA_ID, "rm0");
        for (String address : MiniCluster.RESOURCE_MANAGER_ADDRESSES) {
            conf.set(HAUtil.addSuffix(address, "rm0"), "127.0.0.1:0");
            conf.set(HAUtil.addSuffix(address, "rm1"), "127.0.0.1:1");
        }
        Site.write(conf);
    }

    private final Configuration site = new Configuration(false);

    private void write(String name, String value) throws IOException {
        if (site.size() == 0) {
            conf.forEach(entry -> site.set(entry.getKey(), entry.getValue()));
        }
        site.set(name, value);
        Site.write(site);
    }

    private static void asIfByRpc() {
        Server.getCurCall().set(new Server.Call(1, 0, null, null, RPC.RpcKind.RPC_PROTOCOL_BUFFER, new byte[16]));
    }

    private static String problem(MockRM rm) {
        return sources(rm).control().problem().orElseThrow();
    }

    private static Placement placement(MockRM rm) {
        return sources(rm).placement();
    }

    private static Sources sources(MockRM rm) {
        return ((RestHost) rm.getResourceScheduler()).restSources().orElseThrow();
    }
}
