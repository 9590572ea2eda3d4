package org.interference.yarn.nm.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.api.records.impl.pb.ResourceUtilizationPBImpl;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.NodeResourceMonitor;
import org.apache.hadoop.yarn.server.nodemanager.NodeResourceMonitorImpl;
import org.apache.hadoop.yarn.server.nodemanager.containermanager.container.ContainerState;
import org.interference.yarn.nm.collect.Count;
import org.interference.yarn.nm.collect.CounterSource;
import org.interference.yarn.nm.collect.WatchedContainer;
import org.interference.yarn.nm.heartbeat.ReportingNodeResourceMonitor;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.HeartbeatCodec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Initialises stock NodeManagers with the agent named in their configuration; none is started, so no RM is needed. */
class InterferenceNodeAgentTest {
    @TempDir
    private Path directory;

    private final List<NodeManager> nodeManagers = new ArrayList<>();

    @BeforeEach
    void severalNodeManagersPerJvm() {
        DefaultMetricsSystem.setMiniClusterMode(true);
    }

    @AfterEach
    void stopped() {
        nodeManagers.forEach(NodeManager::stop);
        Waiting.await("threads of the agent to end", () -> agentThreads() == 0);
    }

    @Test
    void heartbeatCarriesAReportAndStopEndsEveryThread() {
        NodeManager nodeManager = initialised(InterferenceNodeAgent.class, Map.of());

        awaitPayload(nodeManager);
        Waiting.await("the sampler to be the only thread", () -> agentThreads() == 1);

        nodeManager.stop();
        Waiting.await("the sampler to end", () -> agentThreads() == 0);
        assertThat(monitor(nodeManager).getUtilization()).satisfies(InterferenceNodeAgentTest::isStock);
    }

    @Test
    void everyNodeManagerOfOneJvmHasItsOwnSampler() {
        NodeManager first = initialised(InterferenceNodeAgent.class, Map.of());
        awaitPayload(first);
        NodeManager second = initialised(InterferenceNodeAgent.class, Map.of());
        awaitPayload(second);

        first.stop();

        Waiting.await("the sampler of the second to be the only thread", () -> agentThreads() == 1);
        awaitPayload(second);
    }

    @Test
    void wrongSettingLeavesTheNodeManagerStock() {
        NodeManager nodeManager =
                initialised(InterferenceNodeAgent.class, Map.of("yarn.interference.nm.collect.interval-ms", "often"));

        assertThat(agentThreads()).isZero();
        assertThat(monitor(nodeManager).getClass()).isEqualTo(NodeResourceMonitorImpl.class);
    }

    @Test
    void sourceThatCannotBeMadeLeavesTheNodeManagerStock() {
        NodeManager nodeManager = initialised(AgentWithoutSource.class, Map.of());

        Waiting.await("the agent to give up", () -> agentThreads() == 0);

        assertThat(monitor(nodeManager).getClass()).isEqualTo(NodeResourceMonitorImpl.class);
    }

    @Test
    void sourceThatThrowsLeavesTheHeartbeatStock() {
        NodeManager nodeManager = initialised(AgentWithBrokenSource.class, Map.of());

        Waiting.await("the swap", () -> monitor(nodeManager) instanceof ReportingNodeResourceMonitor);
        Waiting.await("two failed ticks", () -> BrokenSource.of(nodeManager) >= 2);

        assertThat(monitor(nodeManager).getUtilization()).satisfies(InterferenceNodeAgentTest::isStock);
    }

    @Test
    void everyNodeManagerShowsItsCountersInJmxUntilItStops() throws Exception {
        ObjectName beans = new ObjectName(LocalCounters.NAME + "*");
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        NodeManager first = initialised(InterferenceNodeAgent.class, Map.of());
        initialised(InterferenceNodeAgent.class, Map.of());
        Waiting.await("two beans", () -> server.queryNames(beans, null).size() == 2);

        first.stop();

        assertThat(server.queryNames(beans, null)).hasSize(1);
    }

    @Test
    void aDryRunIsShownInJmxUntilTheNodeManagerStops() throws Exception {
        ObjectName beans = new ObjectName("Hadoop:service=NodeManager,name=InterferenceNodeControl,*");
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        NodeManager nodeManager =
                initialised(InterferenceNodeAgent.class, Map.of("yarn.interference.node-control.mode", "dry-run"));
        Waiting.await("the bean", () -> server.queryNames(beans, null).size() == 1);

        ObjectName bean = server.queryNames(beans, null).iterator().next();
        assertThat(server.getAttribute(bean, "Mode")).isEqualTo("dry-run");
        assertThat((String[]) server.getAttribute(bean, "Containers")).isEmpty();
        nodeManager.stop();

        assertThat(server.queryNames(beans, null)).isEmpty();
        Waiting.await("the controller's thread to end", () -> agentThreads() == 0);
    }

    /** What it left is undone also where control is off now. */
    @Test
    void theJournalOfAKilledNodeManagerIsGoneAfterTheNextStart() throws Exception {
        Path journal = directory.resolve("nm0/local/interference-node-control.journal");
        Files.createDirectories(journal.getParent());
        Files.writeString(journal, "damaged\n");

        NodeManager nodeManager = initialised(InterferenceNodeAgent.class, Map.of());

        awaitPayload(nodeManager);
        Waiting.await("the journal to be gone", () -> !Files.exists(journal));
    }

    @Test
    void theJournalOfAKilledNodeManagerIsGoneAlsoAfterAStartWithAWrongSetting() throws Exception {
        Path journal = directory.resolve("nm0/local/interference-node-control.journal");
        Files.createDirectories(journal.getParent());
        Files.writeString(journal, "damaged\n");

        initialised(InterferenceNodeAgent.class, Map.of("yarn.interference.node-control.mu", "many"));

        assertThat(journal).doesNotExist();
    }

    @Test
    void transitionNeverThrowsWhateverIsMissing() {
        InterferenceNodeAgent agent = new InterferenceNodeAgent();

        assertThatCode(() -> {
                    agent.postTransition(null, ContainerState.SCHEDULED, ContainerState.RUNNING, null);
                    agent.init(null);
                    agent.postTransition(null, null, null, null);
                    agent.preTransition(null, null, null);
                })
                .doesNotThrowAnyException();
    }

    @Test
    void transitionsAfterTheStopDoNoHarm() {
        NodeManager nodeManager = initialised(InterferenceNodeAgent.class, Map.of());
        awaitPayload(nodeManager);
        nodeManager.stop();

        nodeManager
                .getNMContext()
                .getContainerStateTransitionListener()
                .postTransition(null, ContainerState.SCHEDULED, ContainerState.RUNNING, null);

        Waiting.await("no thread of the agent", () -> agentThreads() == 0);
    }

    @Test
    void contextThatIsNotANodeManagersIsRefusedQuietly() {
        new InterferenceNodeAgent().init(null);

        assertThat(agentThreads()).isZero();
    }

    private NodeManager initialised(Class<? extends InterferenceNodeAgent> agent, Map<String, String> settings) {
        Configuration conf = new YarnConfiguration();
        Path home = directory.resolve("nm" + nodeManagers.size());
        conf.set(YarnConfiguration.NM_CONTAINER_STATE_TRANSITION_LISTENERS, agent.getName());
        conf.set(YarnConfiguration.NM_LOCAL_DIRS, home.resolve("local").toString());
        conf.set(YarnConfiguration.NM_LOG_DIRS, home.resolve("logs").toString());
        conf.setInt(YarnConfiguration.NM_PMEM_MB, 1024);
        conf.setInt(YarnConfiguration.NM_VCORES, 1);
        settings.forEach(conf::set);
        NodeManager nodeManager = new NodeManager();
        nodeManagers.add(nodeManager);
        nodeManager.init(conf);
        return nodeManager;
    }

    private static NodeResourceMonitor monitor(NodeManager nodeManager) {
        return nodeManager.getNMContext().getNodeResourceMonitor();
    }

    private static void awaitPayload(NodeManager nodeManager) {
        Waiting.await("a report on the heartbeat", () -> hasPayload(nodeManager));
    }

    private static boolean hasPayload(NodeManager nodeManager) {
        return ((ResourceUtilizationPBImpl) monitor(nodeManager).getUtilization())
                .getProto()
                .getUnknownFields()
                .hasField(HeartbeatCodec.CARRIER_FIELD);
    }

    private static void isStock(ResourceUtilization utilization) {
        assertThat(((ResourceUtilizationPBImpl) utilization)
                        .getProto()
                        .getUnknownFields()
                        .asMap())
                .isEmpty();
    }

    private static long agentThreads() {
        return Waiting.threads("interference-");
    }

    /** Named in configuration; cannot make its source. */
    public static final class AgentWithoutSource extends InterferenceNodeAgent {
        @Override
        protected CounterSource counterSource(Context context, NodeSettings settings) {
            throw new IllegalStateException("no source today");
        }
    }

    /** Named in configuration; its source always throws. */
    public static final class AgentWithBrokenSource extends InterferenceNodeAgent {
        @Override
        protected CounterSource counterSource(Context context, NodeSettings settings) {
            return new BrokenSource(context);
        }
    }

    private static final class BrokenSource implements CounterSource {
        private static final String TICKS = "test.ticks";

        private final Context context;

        BrokenSource(Context context) {
            this.context = context;
        }

        static int of(NodeManager nodeManager) {
            return nodeManager.getNMContext().getConf().getInt(TICKS, 0);
        }

        @Override
        public String name() {
            return "broken";
        }

        @Override
        public Map<String, Map<Signal, Count>> snapshot(Collection<WatchedContainer> containers) throws IOException {
            context.getConf().setInt(TICKS, context.getConf().getInt(TICKS, 0) + 1);
            throw new IOException("broken source");
        }
    }
}
