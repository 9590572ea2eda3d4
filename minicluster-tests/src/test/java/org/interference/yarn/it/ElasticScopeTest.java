package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.nodelabels.RMNodeLabelsManager;
import org.interference.yarn.capacity.CapacityReport.StandsBack;
import org.interference.yarn.capacity.SizeDecision;
import org.interference.yarn.place.Mode;
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
}
