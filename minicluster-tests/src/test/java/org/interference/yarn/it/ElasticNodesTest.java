package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.interference.yarn.capacity.CapacityReport;
import org.interference.yarn.capacity.CapacityReport.StandsBack;
import org.interference.yarn.capacity.SizeDecision;
import org.interference.yarn.place.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes of a real ResourceManager that are given other sizes. */
class ElasticNodesTest extends ElasticCluster {
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
        release(master, got.get(0));

        assertThat(second.getCurrentAppAttempt().getAppAttemptState()).isNotEqualTo(RMAppAttemptState.SCHEDULED);
        assertThat(plugin().placement().gate().faults().total()).isZero();
    }

    @Test
    void applicationMasterHasWhatIsConfiguredThoughOthersAreThereByGrowth() throws Exception {
        start(TimedSchedulers.OurFair.class, "on");
        MockAM master = fill(TASKS + 8);
        List<Container> got = master.schedule().getAllocatedContainers();
        grow();
        beat(5);
        // Who is there by growth is known by now.
        tick(2);
        RMApp second = submit("second");

        // Whoever of those goes that were there before leaves room as configured; the node stays as full as it was.
        release(master, got.get(0));

        assertThat(second.getCurrentAppAttempt().getAppAttemptState()).isNotEqualTo(RMAppAttemptState.SCHEDULED);
        assertThat(running()).as("and the node is full").isEqualTo((int) usableMb() / TASK_MB);
        assertThat(plugin().placement().gate().faults().total()).isZero();
    }

    /** Of memory all use a tenth of the node's, but whoever waits, who uses much more. */
    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void whoUsesMoreMemoryThanWhoLeftDoesNotTakeHisPlaceOnAGrownNode(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        plugin().learnt().profiles().merge(List.of(profile("small/priority-2", 0.22)));
        MockAM master = fill(TASKS + 1);
        List<Container> got = master.schedule().getAllocatedContainers();
        grow();
        beat(3);
        List<Container> byGrowth = master.schedule().getAllocatedContainers();
        assertThat(byGrowth).hasSize(1);
        master.allocate(List.of(master.createResourceReq(ResourceRequest.ANY, TASK_MB, 2, 1)), List.of());
        tickOfAll(0.1);

        release(master, byGrowth.get(0));
        assertThat(running()).as("what has grown is not his").isEqualTo(TASKS + 1);
        master.allocate(List.of(master.createResourceReq(ResourceRequest.ANY, TASK_MB, 1, 1)), List.of());
        beat(5);
        assertThat(running()).as("who uses less may have it").isEqualTo(TASKS + 2);
        tickOfAll(0.1);

        release(master, got.get(0));
        assertThat(running()).as("nor is what is configured").isEqualTo(TASKS + 1);
        for (int i = 0; i < 13; i++) {
            beat(1);
            tickOfAll(0.1);
        }
        assertThat(plugin().capacity().get().evictions()).isZero();

        for (int i = 0; i < 4; i++) {
            beat(1);
            tickOfAll(0.1);
        }
        assertThat(plugin().capacity().get().evictions())
                .as("who is there by growth goes")
                .isEqualTo(1);
        assertThat(running()).as("for him").isEqualTo(TASKS + 1);
        assertThat(master.schedule().getAllocatedContainers())
                .extracting(container -> container.getPriority().getPriority())
                .contains(2);
        assertThat(plugin().placement().gate().faults().total()).isZero();
    }

    /** Each container reports to use so much of the node's memory, and the background has its turn. */
    private void tickOfAll(double used) throws Exception {
        report(0.5, used);
        tickWithoutReport(2);
    }

    private void release(MockAM master, Container container) throws Exception {
        master.allocate(List.of(), List.of(container.getId()));
        rm.drainEvents();
        beat(5);
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
        // Now its NodeManager is told.
        beat(1);
        tick(2);
        rm.close();
        start(scheduler, "off", LARGER_MB);
        tick(2);

        assertThat(usableMb()).as("nothing of ours is left").isEqualTo(LARGER_MB);
    }

    /** As one that is cut off from the network: it registers with the size that it was told last. */
    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void nodeThatWasNeverToldThatItIsBackIsNotConfiguredAsItWasGrown(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        fill(TASKS + 2);
        grow();
        beat(1);
        Resource grown = Resource.newInstance(scheduled().getTotalResource());
        tickWithoutReport(20);
        tickWithoutReport(2);
        assertThat(usableMb()).isEqualTo(NODE_MB);

        new MockNM(node.getNodeId().toString(), grown, rm.getResourceTrackerService()).registerNode();
        rm.drainEvents();
        tickWithoutReport(2);
        tickWithoutReport(2);

        assertThat(told().configured().memoryMb()).isEqualTo(NODE_MB);
        assertThat(usableMb()).isEqualTo(NODE_MB);
    }

    /** As a node that was to be decommissioned and may stay: YARN would kill for every smaller size from then on. */
    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void nobodyIsKilledWhereYarnWasOnceToldToKill(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        fill(TASKS + 2);
        grow();
        beat(5);
        int before = running();
        assertThat(before).isGreaterThan(TASKS + 1);
        scheduled().setOvercommitTimeOut(0);

        tickWithoutReport(20);
        beat(3);
        tickWithoutReport(2);

        assertThat(decision().reason()).isEqualTo(SizeDecision.Reason.NO_REPORT);
        assertThat(running()).isEqualTo(before);
        assertThat(usableMb()).isEqualTo((long) before * TASK_MB);
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void nodeThatWasConfiguredForMoreWhileNobodyLookedKeepsIt(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        fill(TASKS + 2);
        grow();
        rm.close();
        restartNodes();
        start(scheduler, "off", 2 * NODE_MB);

        tickWithoutReport(2);
        assertThat(usableMb()).as("nobody can say yet").isEqualTo(2 * NODE_MB);
        tick(2);
        tick(2);

        assertThat(usableMb()).isEqualTo(2 * NODE_MB);
        assertThat(kept()).doesNotContain(node.getNodeId().toString());
    }

    @Test
    void nodeThatDoesNotComeBackIsForgottenAfterADay() throws Exception {
        keep("127.0.0.9:1000");
        start(TimedSchedulers.OurCapacity.class, "on");
        tick(2);
        assertThat(kept()).contains("127.0.0.9:1000");

        tick((int) Duration.ofDays(1).toSeconds() + 1);
        tick(2);

        assertThat(kept()).doesNotContain("127.0.0.9:1000");
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

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void grownNodeThatIsConfiguredForNothingHasNothing(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        fill(TASKS + 2);
        grow();

        administratorSets(0, -1);
        tick(2);
        tick(6);

        assertThat(usableMb()).isZero();
        assertThat(told().configured().memoryMb()).isZero();
        assertThat(decision().reason()).isEqualTo(SizeDecision.Reason.NOTHING_CONFIGURED);
        assertThat(running()).as("nobody was killed for it").isEqualTo(TASKS + 1);
        assertThat(plugin().placement().gate().faults().total()).isZero();
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void nodeThatHasAlmostNoMemoryLeftTakesNobodyUntilItHas(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        MockAM master = fill(TASKS - 3);
        tick(2);
        report(0.99, 0.05);
        tickWithoutReport(2);
        report(0.99, 0.05);
        tickWithoutReport(2);

        assertThat(usableMb()).isEqualTo((TASKS - 2) * TASK_MB);
        assertThat(scheduled().getTotalResource().getVirtualCores()).isPositive();
        master.allocate(List.of(master.createResourceReq(ResourceRequest.ANY, TASK_MB, 1, 1)), List.of());
        beat(3);
        assertThat(running()).isEqualTo(TASKS - 2);

        tick(2);
        tick(2);
        assertThat(usableMb()).isEqualTo(NODE_MB);
        beat(3);
        assertThat(running()).isEqualTo(TASKS - 1);
        assertThat(plugin().placement().gate().faults().total()).isZero();
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void grownNodeThatSaysItUsesMoreMemoryThanItHasGoesBack(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        fill(TASKS + 2);
        grow();

        report(1.5, 10);
        tickWithoutReport(2);
        rm.drainEvents();

        assertThat(usableMb()).isEqualTo(NODE_MB);
        assertThat(decision().reason()).isEqualTo(SizeDecision.Reason.MEMORY_SHORT);
        assertThat(plugin().placement().gate().faults().total()).isZero();
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void sizesThatAnEarlierLifeKeptWronglyAreNotGivenToNodes(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        fill(TASKS + 2);
        grow();
        rm.close();
        damageKeptSizes();
        start(scheduler, "on", LARGER_MB);

        tick(2);
        tick(2);

        assertThat(usableMb()).as("nobody knows better").isEqualTo(LARGER_MB);
        assertThat(told().configured().memoryMb()).isEqualTo(LARGER_MB);
    }
}
