package org.interference.yarn.nm.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.api.records.impl.pb.ResourceUtilizationPBImpl;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.nodemanager.NodeResourceMonitor;
import org.apache.hadoop.yarn.server.nodemanager.NodeResourceMonitorImpl;
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
    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);

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
        await("threads of the agent to end", () -> agentThreads() == 0);
    }

    @Test
    void heartbeatCarriesAReportAndStopEndsEveryThread() {
        NodeManager nodeManager = initialised(InterferenceNodeAgent.class, Map.of());

        awaitPayload(nodeManager);
        await("the sampler to be the only thread", () -> agentThreads() == 1);

        nodeManager.stop();
        await("the sampler to end", () -> agentThreads() == 0);
        assertThat(monitor(nodeManager).getUtilization()).satisfies(InterferenceNodeAgentTest::isStock);
    }

    @Test
    void everyNodeManagerOfOneJvmHasItsOwnSampler() {
        NodeManager first = initialised(InterferenceNodeAgent.class, Map.of());
        awaitPayload(first);
        NodeManager second = initialised(InterferenceNodeAgent.class, Map.of());
        awaitPayload(second);

        first.stop();

        await("the sampler of the second to be the only thread", () -> agentThreads() == 1);
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

        await("the agent to give up", () -> agentThreads() == 0);

        assertThat(monitor(nodeManager).getClass()).isEqualTo(NodeResourceMonitorImpl.class);
    }

    @Test
    void sourceThatThrowsLeavesTheHeartbeatStock() {
        NodeManager nodeManager = initialised(AgentWithBrokenSource.class, Map.of());

        await("the swap", () -> monitor(nodeManager) instanceof ReportingNodeResourceMonitor);
        await("two failed ticks", () -> BrokenSource.of(nodeManager) >= 2);

        assertThat(monitor(nodeManager).getUtilization()).satisfies(InterferenceNodeAgentTest::isStock);
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
        await("a report on the heartbeat", () -> hasPayload(nodeManager));
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
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("interference-"))
                .count();
    }

    private static void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > DEADLINE_NANOS) {
                fail("waited in vain for " + what + "; threads: "
                        + Thread.getAllStackTraces().keySet());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
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
