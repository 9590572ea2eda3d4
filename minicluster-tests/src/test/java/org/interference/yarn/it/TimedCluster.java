package org.interference.yarn.it;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.rest.Sources;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.NodeReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.wire.HeartbeatCodec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A ResourceManager in which time passes when a test says so, and whose nodes are not there: a test heartbeats and reports for them. */
abstract class TimedCluster {
    @TempDir
    Path directory;

    MockRM rm;
    private TimedSchedulers.Time time;
    private long sequence;
    /** When the nodes' NodeManagers began. */
    private long nodesSince = 1;

    @AfterEach
    void stop() throws IOException {
        rm.close();
    }

    /** Returns the plugin's configuration for tests, with {@code scheduler} and predictions by {@code predictor}. */
    Configuration configuration(Class<?> scheduler, Class<?> predictor) throws IOException {
        Configuration conf = VisitedCluster.ours(directory.resolve("store"));
        conf.set(YarnConfiguration.RM_SCHEDULER, scheduler.getName());
        conf.set("yarn.interference.predict.predictor", predictor.getName());
        conf.setBoolean("yarn.scheduler.fair.user-as-default-queue", false);
        return conf;
    }

    /** Starts it with one node, whose tasks have a profile. */
    MockNM start(Configuration conf, String address, int megabytes, int cores, TaskProfile profile) throws Exception {
        rm = new MockRM(conf);
        rm.start();
        MockNM node = rm.registerNode(address, megabytes, cores);
        rm.drainEvents();
        time = ((TimedSchedulers.Timed) rm.getResourceScheduler()).time();
        plugin().learnt().profiles().merge(List.of(profile));
        return node;
    }

    /** Returns a profile of tasks with the tag {@code ifc:small} of whoever runs this. */
    static TaskProfile profile(Map<Signal, Averages> signals, double seconds) throws IOException {
        return profile("small/priority-1", signals, seconds);
    }

    /** Returns the same of any kind of task. */
    static TaskProfile profile(String kind, Map<Signal, Averages> signals, double seconds) throws IOException {
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        return new TaskProfile(
                new TaskKey(TaskKey.Level.TAG, "ifc:" + user + "/" + kind),
                10,
                signals,
                Averages.constant(10, seconds),
                Instant.now());
    }

    Sources plugin() {
        return ((RestHost) rm.getResourceScheduler()).restSources().orElseThrow();
    }

    RMApp submit(String name, int megabytes, Set<String> tags) throws Exception {
        RMApp app = MockRMAppSubmitter.submit(
                rm,
                MockRMAppSubmissionData.Builder.createWithMemory(megabytes, rm)
                        .withAppName(name)
                        .withApplicationTags(tags)
                        .withQueue("default")
                        .build());
        rm.drainEvents();
        return app;
    }

    void beat(MockNM node, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            if (rm.getResourceScheduler() instanceof FairScheduler fair) {
                // Who asks has no demand before.
                fair.update();
            }
            node.nodeHeartbeat(true);
            rm.drainEvents();
        }
    }

    SchedulerNode scheduled(MockNM node) {
        return ((AbstractYarnScheduler<?, ?>) rm.getResourceScheduler())
                .getNodeTracker()
                .getNode(node.getNodeId());
    }

    void pass(int seconds) throws Exception {
        passOnTheDispatcher(seconds);
        rm.drainEvents();
    }

    /** As {@link #pass}, but what comes of it comes later. */
    void passOnTheDispatcher(int seconds) {
        time.pass(seconds);
    }

    /** The node reports. */
    void report(MockNM node, List<ContainerReport> containers, Map<NodeMetric, Double> figures) {
        sequence++;
        plugin().ingest()
                .accept(
                        node.getNodeId().toString(),
                        HeartbeatCodec.encode(
                                new NodeReport(nodesSince, sequence, time.now(), containers, new NodeFigures(figures))),
                        time.now());
    }

    /** All NodeManagers are started anew. */
    void restartNodes() {
        nodesSince++;
    }

    /** Returns that a signal has this level, and has had it always. */
    static Reading reading(double level) {
        return new Reading.Measured(level, level, level, false, "injected");
    }
}
