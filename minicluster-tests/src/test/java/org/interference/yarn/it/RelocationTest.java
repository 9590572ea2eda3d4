package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.PreemptionMessage;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.MockRM;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.ContainerPreemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.SchedulerEventType;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.relocate.Judgement;
import org.interference.yarn.relocate.RelocationReport;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two tasks of a real ResourceManager that crowd each other on one node, while another one is empty. */
class RelocationTest extends TimedCluster {
    private static final int NODE_MB = 8 * 1024;
    private static final int TASK_MB = 1024;
    private static final double TASK_CPU = 0.5;
    private static final String MODE = "yarn.interference.relocate.mode";

    private MockNM crowded;
    private MockNM empty;

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void oneIsAskedAndKilledAfterItsGraceAndWhatComesInsteadIsKeptAway(Class<?> scheduler) throws Exception {
        MockAM master = start(scheduler, "on", "ifc-restartable");

        tick(6);

        AllocateResponse told = master.schedule();
        assertThat(asked(told)).hasSize(1);
        assertThat(told.getCompletedContainersStatuses()).isEmpty();
        assertThat(report().tally().asked()).isEqualTo(1);

        tick(10);
        assertThat(running(crowded)).as("in its grace").hasSize(3);
        tick(10);

        AllocateResponse killed =
                master.allocate(List.of(master.createResourceReq(ResourceRequest.ANY, TASK_MB, 1, 1)), List.of());
        assertThat(killed.getCompletedContainersStatuses()).singleElement().satisfies(status -> {
            assertThat(status.getExitStatus()).isEqualTo(ContainerExitStatus.PREEMPTED);
            assertThat(asked(told)).containsExactly(status.getContainerId());
        });
        ContainerId gone = asked(told).iterator().next();
        beatWith(master, gone, ContainerState.COMPLETE);
        beat(crowded, 5);
        assertThat(running(crowded)).as("kept away").hasSize(2);
        beat(empty, 3);
        assertThat(running(empty)).hasSize(1);
        assertThat(report().tally().left()).isEqualTo(1);
        assertThat(report().tally().lostSeconds()).isPositive();
        assertThat(plugin().placement().gate().faults().total()).isZero();
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void dryRunTellsWhoWouldGoAndTouchesNobody(Class<?> scheduler) throws Exception {
        MockAM master = start(scheduler, "dry-run", "ifc-restartable");

        for (int i = 0; i < 8; i++) {
            tick(10);
        }

        assertThat(asked(master.schedule())).isEmpty();
        assertThat(running(crowded)).hasSize(3);
        assertThat(report().tally().asked()).isZero();
        assertThat(report().judgements())
                .extracting(Judgement::reason)
                .containsExactlyInAnyOrder(
                        Judgement.Reason.GOES, Judgement.Reason.APPLICATION_LIMIT, Judgement.Reason.MASTER);
        Judgement goes = report().judgements().get(0);
        assertThat(goes.candidate().target().orElseThrow().node())
                .isEqualTo(empty.getNodeId().toString());
        assertThat(goes.account().orElseThrow().saved())
                .isGreaterThan(goes.account().orElseThrow().lost());
        assertThat(report().published()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void nobodyIsLookedAtWhoIsNotOptedIn(Class<?> scheduler) throws Exception {
        start(scheduler, "on");

        tick(6);

        assertThat(report().judgements()).isEmpty();
        plugin().control().change(Map.of("yarn.interference.relocate.queues", "root=on"));
        tick(6);
        assertThat(report().judgements())
                .as("of a framework that is not known to start tasks again")
                .extracting(Judgement::reason)
                .contains(Judgement.Reason.NOT_RESTARTABLE)
                .doesNotContain(Judgement.Reason.GOES);
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void switchedOffInItsGraceItStays(Class<?> scheduler) throws Exception {
        start(scheduler, "on", "ifc-restartable");
        tick(6);
        assertThat(report().tally().asked()).isEqualTo(1);

        plugin().control().change(Map.of(MODE, "off"));
        tick(30);
        tick(30);

        assertThat(running(crowded)).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void whoHasNoPlaceAnyMoreWhenItsGraceIsOverStays(Class<?> scheduler) throws Exception {
        start(scheduler, "on", "ifc-restartable");
        tick(6);
        assertThat(report().tally().asked()).isEqualTo(1);
        empty.nodeHeartbeat(false);
        rm.drainEvents();

        for (int i = 0; i < 3; i++) {
            report(crowded);
            pass(10);
        }
        assertThat(running(crowded)).hasSize(3);

        empty.nodeHeartbeat(true);
        rm.drainEvents();
        tick(10);
        assertThat(running(crowded)).as("it is not asked twice").hasSize(3);
        assertThat(report().judgements()).extracting(Judgement::reason).contains(Judgement.Reason.ASKED);
        assertThat(plugin().placement().gate().faults().total()).isZero();
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void messageForAnApplicationThatHasEndedHarmsNobody(Class<?> scheduler) throws Exception {
        start(scheduler, "on", "ifc-restartable");
        RMContainer any = running(crowded).get(0);

        rm.getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new ContainerPreemptEvent(
                        ApplicationAttemptId.newInstance(
                                any.getApplicationAttemptId().getApplicationId(), 99),
                        any,
                        SchedulerEventType.MARK_CONTAINER_FOR_PREEMPTION));
        rm.drainEvents();
        tick(6);

        assertThat(report().tally().asked()).isEqualTo(1);
    }

    /** Else the master would hear for as long as it lives that it is to leave, and YARN count it as going. */
    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void messageForAContainerThatHasEndedIsNotTold(Class<?> scheduler) throws Exception {
        MockAM master = start(scheduler, "off", "ifc-restartable");
        RMContainer ended = running(crowded).stream()
                .filter(container -> !container.isAMContainer())
                .findFirst()
                .orElseThrow();
        beatWith(master, ended.getContainerId(), ContainerState.COMPLETE);

        rm.getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new ContainerPreemptEvent(
                        ended.getApplicationAttemptId(), ended, SchedulerEventType.MARK_CONTAINER_FOR_PREEMPTION));
        rm.drainEvents();

        assertThat(asked(master.schedule())).isEmpty();
    }

    // The cluster

    /** Starts an application whose two tasks are where its master is, and then another node. */
    private MockAM start(Class<?> scheduler, String mode, String... tags) throws Exception {
        Configuration conf = configuration(scheduler, CrowdedPredictor.class);
        conf.set("yarn.interference.place.mode", "shadow");
        conf.set(MODE, mode);
        crowded = start(
                conf, "127.0.0.1:1000", NODE_MB, 8, profile(Map.of(Signal.CPU, Averages.constant(10, TASK_CPU)), 600));
        Set<String> all = new HashSet<>(List.of(tags));
        all.add("ifc:small");
        MockAM master = MockRM.launchAndRegisterAM(submit("crowd", TASK_MB, all), rm, crowded);
        master.allocate(List.of(master.createResourceReq(ResourceRequest.ANY, TASK_MB, 1, 2)), List.of());
        beat(crowded, 4);
        List<ContainerId> started = new ArrayList<>();
        started.add(ContainerId.newContainerId(master.getApplicationAttemptId(), 1));
        master.schedule().getAllocatedContainers().forEach(container -> started.add(container.getId()));
        for (ContainerId container : started) {
            beatWith(master, container, ContainerState.RUNNING);
        }
        empty = rm.registerNode("127.0.0.2:1000", NODE_MB, 8);
        rm.drainEvents();
        assertThat(running(crowded)).hasSize(3);
        return master;
    }

    private RelocationReport report() {
        return plugin().relocation().get();
    }

    private List<RMContainer> running(MockNM node) {
        return scheduled(node).getCopiedListOfRunningContainers();
    }

    /** Returns who is asked to leave, by either of the two ways that YARN's schedulers have of asking. */
    private static Set<ContainerId> asked(AllocateResponse response) {
        Set<ContainerId> asked = new HashSet<>();
        PreemptionMessage message = response.getPreemptionMessage();
        if (message != null && message.getContract() != null) {
            message.getContract().getContainers().forEach(container -> asked.add(container.getId()));
        }
        if (message != null && message.getStrictContract() != null) {
            message.getStrictContract().getContainers().forEach(container -> asked.add(container.getId()));
        }
        return asked;
    }

    /** The crowded node says what has become of a container. */
    private void beatWith(MockAM master, ContainerId container, ContainerState state) throws Exception {
        crowded.nodeHeartbeat(master.getApplicationAttemptId(), container.getContainerId(), state);
        rm.drainEvents();
    }

    /** All nodes report, and so many seconds later the background has its turn. */
    private void tick(int seconds) throws Exception {
        report(crowded);
        report(empty);
        pass(seconds);
    }

    private void report(MockNM node) {
        List<ContainerReport> containers = new ArrayList<>();
        for (RMContainer container : running(node)) {
            containers.add(new ContainerReport(
                    container.getContainerId().toString(),
                    Duration.ofSeconds(60),
                    false,
                    Map.of(Signal.CPU, reading(container.isAMContainer() ? 0 : TASK_CPU))));
        }
        report(node, containers, Map.of(NodeMetric.MEMORYBYTES, (double) NODE_MB * (1 << 20)));
    }
}
