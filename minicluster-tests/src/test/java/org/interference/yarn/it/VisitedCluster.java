package org.interference.yarn.it;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.Visits;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.hadoop.HadoopLine;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.rest.Sources;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.HeartbeatCodec;

/** A real ResourceManager whose nodes are visited by hand, as a thread of asynchronous scheduling visits them. */
final class VisitedCluster implements AutoCloseable {
    static final int NODE_MB = 8 * 1024;
    private static final int NODE_CORES = 8;

    private final MockRM rm;
    private final List<MockNM> nodes = new ArrayList<>();
    private long sequence;

    VisitedCluster(Configuration conf, int size) throws Exception {
        this(conf, size, NODE_CORES);
    }

    VisitedCluster(Configuration conf, int size, int cores) throws Exception {
        rm = new MockRM(conf);
        rm.start();
        for (int i = 0; i < size; i++) {
            nodes.add(rm.registerNode("127.0.0.%d:1000".formatted(i + 1), NODE_MB, cores));
        }
        rm.drainEvents();
    }

    static Configuration stock() {
        YarnConfiguration conf = new YarnConfiguration();
        conf.set(YarnConfiguration.RM_SCHEDULER, CapacityScheduler.class.getName());
        conf.setBoolean("yarn.scheduler.capacity.schedule-asynchronously.enable", false);
        leaveOutNone(conf);
        conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.5");
        return conf;
    }

    /** No node is left out for a heartbeat that this machine was too slow to send. */
    static void leaveOutNone(Configuration conf) {
        leaveOutAfter(Duration.ofHours(2), conf);
    }

    /** Asynchronous scheduling leaves a node out that has sent no heartbeat for so long: in Hadoop 3.3 two intervals, whatever is set. */
    static void leaveOutAfter(Duration silence, Configuration conf) {
        if (HadoopLine.require(VersionInfo.getVersion()).isBefore(HadoopLine.V3_4)) {
            conf.setLong(YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, silence.toMillis() / 2);
            // Must be no less.
            conf.setLong(
                    YarnConfiguration.RM_NM_EXPIRY_INTERVAL_MS,
                    Duration.ofHours(2).toMillis());
        } else {
            long interval = conf.getLong(YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS, 1000);
            conf.setLong("yarn.scheduler.skip.node.multiplier", silence.toMillis() / interval);
        }
    }

    static Configuration ours(Path store) {
        Configuration conf = stock();
        conf.set(YarnConfiguration.RM_SCHEDULER, InterferenceAwareScheduler.class.getName());
        conf.set("yarn.interference.place.mode", "on");
        conf.set("yarn.interference.place.tags", "root=100");
        MiniCluster.unhurried(conf);
        // Nodes report when they are told to, on a machine however busy.
        conf.setInt("yarn.interference.ingest.sample-max-age-heartbeats", 180);
        conf.set("yarn.interference.profile.store-dir", store.toString());
        return conf;
    }

    MockRM rm() {
        return rm;
    }

    CapacityScheduler scheduler() {
        return (CapacityScheduler) rm.getResourceScheduler();
    }

    MockNM node(int index) {
        return nodes.get(index);
    }

    int size() {
        return nodes.size();
    }

    /** Starts an application whose master runs on a node. */
    MockAM start(int node, String... tags) throws Exception {
        return start(node, "default", List.of(tags));
    }

    MockAM start(int node, String queue, List<String> tags) throws Exception {
        RMApp app = MockRMAppSubmitter.submit(
                rm,
                MockRMAppSubmissionData.Builder.createWithMemory(512, rm)
                        .withAppName("application")
                        .withApplicationTags(Set.copyOf(tags))
                        .withQueue(queue)
                        .build());
        MockAM master = MockRM.launchAndRegisterAM(app, rm, nodes.get(node));
        rm.drainEvents();
        return master;
    }

    /** Ends the attempt of {@code master}'s, and starts the application's next one on the same node. */
    void startAgain(MockAM master, int node) throws Exception {
        ApplicationAttemptId ended = master.getApplicationAttemptId();
        nodes.get(node).nodeHeartbeat(ended, 1, ContainerState.COMPLETE);
        rm.waitForState(ended, RMAppAttemptState.FAILED);
        rm.drainEvents();
        MockRM.launchAndRegisterAM(rm.getRMContext().getRMApps().get(ended.getApplicationId()), rm, nodes.get(node));
        rm.drainEvents();
    }

    void ask(MockAM master, int megabytes, int containers) throws Exception {
        ask(master, List.of(master.createResourceReq(ResourceRequest.ANY, megabytes, 1, containers)));
    }

    void ask(MockAM master, List<ResourceRequest> requests) throws Exception {
        master.allocate(requests, List.of());
        rm.drainEvents();
    }

    /** Returns what {@code master} has got since it last asked. */
    List<Container> got(MockAM master) throws Exception {
        rm.drainEvents();
        return master.schedule().getAllocatedContainers();
    }

    /** Visits the nodes in turn, as often as {@code visits}, from node 0 on, until {@code master} gets a container. */
    Served visitUntil(MockAM master, int visits) throws Exception {
        int made = 0;
        for (int i = 0; made < visits && i < 10 * visits; i++) {
            made += Visits.visitIfRunning(rm, nodes.get(i % nodes.size())) ? 1 : 0;
            List<Container> got = got(master);
            if (!got.isEmpty()) {
                return new Served(OptionalInt.of(made), got.get(0).getNodeId());
            }
        }
        return new Served(OptionalInt.empty(), null);
    }

    record Served(OptionalInt visits, NodeId node) {}

    /** Visits all nodes in turn, {@code rounds} times. */
    void visitAll(int rounds) {
        for (int i = 0; i < rounds * nodes.size(); i++) {
            Visits.visitIfRunning(rm, nodes.get(i % nodes.size()));
        }
    }

    /** Lets all nodes send a heartbeat in turn, {@code rounds} times. */
    void beatAll(int rounds) throws Exception {
        for (int i = 0; i < rounds * nodes.size(); i++) {
            nodes.get(i % nodes.size()).nodeHeartbeat(true);
            rm.drainEvents();
        }
    }

    /** Gives every node a fresh sample of one container that presses on the CPU, and lets the plugin account for what was placed. */
    void reportAll(double level) {
        report(nodes.size(), level);
    }

    /** Does so for the first {@code measured} nodes. */
    void report(int measured, double level) {
        if (rm.getResourceScheduler() instanceof RestHost host) {
            Sources plugin = host.restSources().orElseThrow();
            for (int i = 0; i < measured; i++) {
                report(plugin, i, level);
            }
        }
    }

    private void report(Sources plugin, int node, double level) {
        Instant now = Instant.now();
        ContainerReport neighbour = new ContainerReport(
                "a neighbour",
                Duration.ofSeconds(1),
                false,
                Map.of(Signal.CPU, new Reading.Measured(level, level, level, false, "injected")));
        sequence++;
        plugin.ingest()
                .accept(
                        nodes.get(node).getNodeId().toString(),
                        HeartbeatCodec.encode(new NodeReport(1, sequence, now, List.of(neighbour))),
                        now);
    }

    @Override
    public void close() throws IOException {
        rm.close();
    }
}
