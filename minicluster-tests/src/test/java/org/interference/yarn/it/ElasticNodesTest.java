package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceOption;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmissionData;
import org.apache.hadoop.yarn.server.resourcemanager.MockRMAppSubmitter;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeResourceUpdateEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.interference.yarn.capacity.CapacityReport;
import org.interference.yarn.capacity.CapacityReport.StandsBack;
import org.interference.yarn.capacity.SizeDecision;
import org.interference.yarn.place.Mode;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes of a real ResourceManager that are given other sizes. */
class ElasticNodesTest {
    private static final int NODE_MB = 8 * 1024;
    private static final int NODE_CORES = 8;
    private static final int TASK_MB = 1024;
    private static final int LARGER_MB = NODE_MB + TASK_MB;
    /** The master and these fill a node as it is configured. */
    private static final int TASKS = 7;

    private static final String MODE = "yarn.interference.capacity.mode";

    @TempDir
    private Path directory;

    private MockRM rm;
    private MockNM node;
    private TimedSchedulers.Time time;
    private long sequence;

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void nodeTakesOneMoreThanItIsConfiguredForUntilItIsSwitchedOff(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        MockAM master = fill(TASKS + 2);
        assertThat(running()).isEqualTo(TASKS + 1);

        tick(2);
        assertThat(told().standsBack()).contains(StandsBack.NOT_KEPT);
        grow();
        beat(3);
        assertThat(running()).isEqualTo(TASKS + 2);
        assertThat(master.schedule().getAllocatedContainers()).isNotEmpty();

        plugin().control().change(Map.of(MODE, "off"));
        tick(2);

        assertThat(usableMb()).isEqualTo(NODE_MB);
        beat(3);
        assertThat(running()).as("nobody was killed for it").isEqualTo(TASKS + 2);
        assertThat(plugin().capacity().get().mode()).isEqualTo(Mode.OFF);
        assertThat(plugin().placement().gate().faults().total()).isZero();
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void shadowTellsOfALargerNodeAndMakesNone(Class<?> scheduler) throws Exception {
        start(scheduler, "shadow");
        fill(TASKS + 2);

        tick(2);
        beat(3);

        assertThat(usableMb()).isEqualTo(NODE_MB);
        assertThat(running()).isEqualTo(TASKS + 1);
        CapacityReport.Node told = told();
        assertThat(told.wanted().memoryMb()).isEqualTo(LARGER_MB);
        assertThat(told.standsBack()).contains(StandsBack.SHADOW);
        assertThat(plugin().capacity().get().gainSeconds()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void nodeGoesBackAtOnceWhenItsReportsStop(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        fill(TASKS + 2);
        grow();

        tickWithoutReport(20);

        assertThat(usableMb()).isEqualTo(NODE_MB);
        assertThat(decision().reason()).isEqualTo(SizeDecision.Reason.NO_REPORT);
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void applicationMasterWaitsForConfiguredSpace(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        MockAM master = fill(TASKS + 1);
        List<Container> got = master.schedule().getAllocatedContainers();
        grow();
        master.allocate(List.of(master.createResourceReq(ResourceRequest.ANY, TASK_MB, 1, 0)), List.of());
        RMApp second = submit("second");

        beat(5);

        assertThat(second.getCurrentAppAttempt().getAppAttemptState()).isEqualTo(RMAppAttemptState.SCHEDULED);
        assertThat(running()).isEqualTo(TASKS + 1);

        // Whoever goes leaves it room as configured.
        master.allocate(List.of(), List.of(got.get(0).getId()));
        rm.drainEvents();
        beat(5);

        assertThat(second.getCurrentAppAttempt().getAppAttemptState()).isNotEqualTo(RMAppAttemptState.SCHEDULED);
        assertThat(plugin().placement().gate().faults().total()).isZero();
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void administratorsSizeIsTheConfiguredOne(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        fill(TASKS + 2);
        grow();

        administratorSets(NODE_MB / 2, -1);
        tick(2);

        assertThat(usableMb()).isEqualTo(NODE_MB / 2);
        assertThat(told().configured().memoryMb()).isEqualTo(NODE_MB / 2);
        assertThat(decision().reason()).isEqualTo(SizeDecision.Reason.CONFIGURED_ANEW);
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void nodeThatRegistersWithAGrownSizeElsewhereGetsItsOwnBack(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        fill(TASKS + 2);
        grow();
        rm.close();
        start(scheduler, "off", LARGER_MB);
        assertThat(usableMb()).isEqualTo(LARGER_MB);

        tick(2);
        tick(2);

        assertThat(usableMb()).isEqualTo(NODE_MB);
        rm.close();
        start(scheduler, "off", LARGER_MB);
        tick(2);

        assertThat(usableMb()).as("nothing of ours is left").isEqualTo(LARGER_MB);
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void nodeWithAnOvercommitTimeoutIsLeftAlone(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        administratorSets(NODE_MB - 1, 1000);
        administratorSets(NODE_MB, -1);
        fill(TASKS + 2);

        tick(6);
        tick(6);

        assertThat(usableMb()).isEqualTo(NODE_MB);
        assertThat(decision().action()).isEqualTo(SizeDecision.Action.GROW);
        assertThat(told().standsBack()).contains(StandsBack.OVERCOMMIT_TIMEOUT);
    }

    // The cluster

    @AfterEach
    void stop() throws IOException {
        rm.close();
    }

    private void start(Class<?> scheduler, String mode) throws Exception {
        start(scheduler, mode, NODE_MB);
    }

    private void start(Class<?> scheduler, String mode, int nodeMb) throws Exception {
        Configuration conf = VisitedCluster.ours(directory.resolve("store"));
        conf.set(YarnConfiguration.RM_SCHEDULER, scheduler.getName());
        conf.set("yarn.interference.predict.predictor", CertainPredictor.class.getName());
        conf.set(MODE, mode);
        conf.setBoolean("yarn.scheduler.fair.user-as-default-queue", false);
        // Masters may have all of a queue.
        conf.set(
                "yarn.scheduler.fair.allocation.file",
                Files.writeString(
                                directory.resolve("queues.xml"),
                                "<allocations><queueMaxAMShareDefault>-1.0</queueMaxAMShareDefault></allocations>")
                        .toString());
        rm = new MockRM(conf);
        rm.start();
        node = rm.registerNode("127.0.0.1:1000", nodeMb, NODE_CORES);
        rm.drainEvents();
        time = ((TimedSchedulers.Timed) rm.getResourceScheduler()).time();
        plugin().learnt().profiles().merge(List.of(profile()));
    }

    /** A kind of task that uses a twentieth of a node's memory, and hardly a CPU. */
    private static TaskProfile profile() throws Exception {
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        return new TaskProfile(
                new TaskKey(TaskKey.Level.TAG, "ifc:" + user + "/small/priority-1"),
                10,
                Map.of(Signal.CPU, Averages.constant(10, 0.01), Signal.MEM, Averages.constant(10, 0.05)),
                Averages.constant(10, 60),
                Instant.now());
    }

    private Sources plugin() {
        return ((RestHost) rm.getResourceScheduler()).restSources().orElseThrow();
    }

    private RMApp submit(String name) throws Exception {
        RMApp app = MockRMAppSubmitter.submit(
                rm,
                MockRMAppSubmissionData.Builder.createWithMemory(TASK_MB, rm)
                        .withAppName(name)
                        .withApplicationTags(Set.of("ifc:small"))
                        .withQueue("default")
                        .build());
        rm.drainEvents();
        return app;
    }

    /** Starts an application that asks for so many tasks, and fills the node with it. */
    private MockAM fill(int tasks) throws Exception {
        MockAM master = MockRM.launchAndRegisterAM(submit("first"), rm, node);
        master.allocate(List.of(master.createResourceReq(ResourceRequest.ANY, TASK_MB, 1, tasks)), List.of());
        rm.drainEvents();
        beat(tasks + 2);
        return master;
    }

    private void beat(int times) throws Exception {
        for (int i = 0; i < times; i++) {
            if (rm.getResourceScheduler() instanceof FairScheduler fair) {
                // Who asks has no demand before.
                fair.update();
            }
            node.nodeHeartbeat(true);
            rm.drainEvents();
        }
    }

    private SchedulerNode scheduled() {
        NodeId id = node.getNodeId();
        return ((AbstractYarnScheduler<?, ?>) rm.getResourceScheduler())
                .getNodeTracker()
                .getNode(id);
    }

    private int running() {
        return scheduled().getNumContainers();
    }

    private long usableMb() {
        return scheduled().getTotalResource().getMemorySize();
    }

    private CapacityReport.Node told() {
        return plugin().capacity().get().nodes().get(0);
    }

    private SizeDecision decision() {
        return told().decision().orElseThrow();
    }

    private void administratorSets(int megabytes, int timeout) throws Exception {
        rm.getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMNodeResourceUpdateEvent(
                        node.getNodeId(),
                        ResourceOption.newInstance(Resource.newInstance(megabytes, NODE_CORES), timeout)));
        rm.drainEvents();
    }

    // What passes

    /** Its configured size is kept, and then the node grows by a task. */
    private void grow() throws Exception {
        tick(6);
        tick(6);
        assertThat(usableMb()).isEqualTo(LARGER_MB);
    }

    /** The node reports, and so many seconds later the background has its turn. */
    private void tick(int seconds) throws Exception {
        report();
        tickWithoutReport(seconds);
    }

    private void tickWithoutReport(int seconds) throws Exception {
        time.pass(seconds);
        rm.drainEvents();
    }

    private void report() {
        Map<Signal, Reading> readings = Map.of(
                Signal.CPU, new Reading.Measured(0.01, 0.01, 0.01, false, "injected"),
                Signal.MEM, new Reading.Measured(0.05, 0.05, 0.05, false, "injected"));
        List<ContainerReport> containers = new ArrayList<>();
        for (RMContainer container : scheduled().getCopiedListOfRunningContainers()) {
            containers.add(
                    new ContainerReport(container.getContainerId().toString(), Duration.ofSeconds(1), false, readings));
        }
        NodeFigures figures =
                new NodeFigures(Map.of(NodeMetric.MEMORYBYTES, (double) NODE_MB * (1 << 20), NodeMetric.MEMORY, 0.5));
        sequence++;
        plugin().ingest()
                .accept(
                        node.getNodeId().toString(),
                        HeartbeatCodec.encode(new NodeReport(1, sequence, time.now(), containers, figures)),
                        time.now());
    }
}
