package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.interference.yarn.capacity.CapacityReport.StandsBack;
import org.interference.yarn.capacity.SizeDecision;
import org.interference.yarn.place.Mode;
import org.interference.yarn.signal.NodeMetric;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** For which nodes and queues nodes are given other sizes. */
class ElasticScopeTest extends ElasticCluster {
    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void onlyNodesWithALabelThatIsOnAreGivenOtherSizes(Class<?> scheduler) throws Exception {
        start(scheduler, "off");
        plugin().control().change(Map.of(LABEL_MODES, "<DEFAULT_PARTITION>=on"));
        fill(TASKS + 2);
        grow();
        assertThat(plugin().capacity().get().mode()).isEqualTo(Mode.OFF);
        assertThat(plugin().capacity().get().labelModes()).containsEntry("<DEFAULT_PARTITION>", Mode.ON);

        plugin().control().change(Map.of(MODE, "on", LABEL_MODES, "<DEFAULT_PARTITION>=off"));
        tick(2);
        tick(2);

        assertThat(usableMb()).isEqualTo(NODE_MB);
        assertThat(told().standsBack()).contains(StandsBack.OFF);
        assertThat(told().decision()).isEmpty();
        assertThat(plugin().placement().gate().faults().total()).isZero();
    }

    @Test
    void modeOfANodeIsThatOfTheLabelThatItHasNow() throws Exception {
        start(TimedSchedulers.OurCapacity.class, "on");
        plugin().control().change(Map.of(LABEL_MODES, "batch=off,other=off"));
        tick(2);
        assertThat(told().decision()).isPresent();

        RMNodeLabelsManager labels = rm.getRMContext().getNodeLabelManager();
        labels.addToCluserNodeLabelsWithDefaultExclusivity(Set.of("batch", "other"));
        labels.replaceLabelsOnNode(Map.of(node.getNodeId(), Set.of("batch")));
        rm.drainEvents();
        tick(2);
        assertThat(told().standsBack()).contains(StandsBack.OFF);

        plugin().control().change(Map.of(LABEL_MODES, "batch=shadow,other=off"));
        tick(2);
        assertThat(told().standsBack()).contains(StandsBack.SHADOW);
        assertThat(told().decision()).isPresent();
        assertThat(plugin().placement().gate().faults().total()).isZero();
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void noNodeGrowsForAQueueThatIsNotToProfit(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        plugin().control().change(Map.of(QUEUE_GROWTH, "root=off"));
        fill(TASKS + 2);

        tick(6);
        tick(6);

        assertThat(usableMb()).isEqualTo(NODE_MB);
        assertThat(decision().reason()).isEqualTo(SizeDecision.Reason.NOBODY_WAITS);
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void whatIsMoreThanConfiguredIsNotForAQueueThatIsNotToProfit(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        MockAM master = fill(TASKS + 2);
        List<Container> got = master.schedule().getAllocatedContainers();
        grow();

        plugin().control().change(Map.of(QUEUE_GROWTH, "root.default=off"));
        beat(5);
        assertThat(running()).isEqualTo(TASKS + 1);

        // Whoever goes leaves it room as configured.
        master.allocate(List.of(), List.of(got.get(0).getId()));
        rm.drainEvents();
        beat(5);
        assertThat(running()).isEqualTo(TASKS + 1);

        plugin().control().change(Map.of(QUEUE_GROWTH, "root.default=on"));
        beat(5);
        assertThat(running()).isEqualTo(TASKS + 2);
        assertThat(plugin().placement().gate().faults().total()).isZero();
    }

    /** Who is there by growth leaves no room that is the master's; whoever else goes does. */
    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void grownNodeIsReservedForALargeMasterUntilItFitsWhatIsConfigured(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        MockAM master = fill(TASKS + 1);
        List<Container> got = master.schedule().getAllocatedContainers();
        grow();
        beat(3);
        List<Container> byGrowth = master.schedule().getAllocatedContainers();
        assertThat(byGrowth).hasSize(1);
        tick(2);
        // Of a full node the CapacityScheduler asks nobody.
        release(master, got.get(0));
        // The queue may have more, which the CapacityScheduler asks before it reserves, but no other node has room for
        // it.
        List<MockNM> small =
                List.of(rm.registerNode("127.0.0.2:1000", TASK_MB, 1), rm.registerNode("127.0.0.3:1000", TASK_MB, 1));
        rm.drainEvents();
        RMApp large = submit("large", 2 * TASK_MB, Set.of("ifc:small"));
        beat(3);
        assertThat(scheduled().getReservedContainer()).isNotNull();
        master.allocate(List.of(master.createResourceReq(ResourceRequest.ANY, TASK_MB, 1, TASKS)), List.of());

        release(master, byGrowth.get(0));

        assertThat(running()).as("it would be there by growth").isEqualTo(TASKS);
        assertThat(large.getCurrentAppAttempt().getAppAttemptState()).isEqualTo(RMAppAttemptState.SCHEDULED);
        assertThat(scheduled().getReservedContainer())
                .as("and others have to wait")
                .isNotNull();
        for (MockNM other : small) {
            report(other, List.of(), Map.of(NodeMetric.MEMORYBYTES, (double) TASK_MB * (1 << 20)));
        }
        tick(6);
        assertThat(told().standsBack()).as("a reserved node does not grow").contains(StandsBack.RESERVED);
        assertThat(usableMb()).isEqualTo(LARGER_MB);

        release(master, got.get(1));

        assertThat(large.getCurrentAppAttempt().getAppAttemptState()).isNotEqualTo(RMAppAttemptState.SCHEDULED);
        assertThat(plugin().placement().gate().faults().total()).isZero();
    }

    private void release(MockAM master, Container container) throws Exception {
        master.allocate(List.of(), List.of(container.getId()));
        rm.drainEvents();
        beat(5);
    }
}
