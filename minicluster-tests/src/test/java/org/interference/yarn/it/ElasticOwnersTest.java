package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.event.AbstractEvent;
import org.apache.hadoop.yarn.event.Dispatcher;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
import org.interference.yarn.capacity.SizeDecision;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that are given sizes by others while they are given sizes by us. */
class ElasticOwnersTest extends ElasticCluster {
    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void nodeManagerThatIsRestartedWhileItIsLargerIsAskedForNothingAnyMore(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        fill(TASKS + 1);
        grow();
        beat(3);
        restartNodes();
        node = new MockNM(
                node.getNodeId().toString(), Resource.newInstance(NODE_MB, NODE_CORES), rm.getResourceTrackerService());
        node.registerNode();
        rm.drainEvents();
        assertThat(usableMb()).isEqualTo(NODE_MB);

        for (int i = 0; i < 3; i++) {
            beat(1);
            tick(2);
        }

        assertThat(plugin().capacity().get().notApplied()).isZero();
        assertThat(told().configured().memoryMb()).isEqualTo(NODE_MB);
        assertThat(usableMb()).isEqualTo(NODE_MB);
    }

    private enum Moment {
        NOW
    }

    /** Both are on their way when the node is looked at, which has the size of before. */
    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void administratorsSizeIsTheConfiguredOneThoughOursComesAfterIt(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        fill(TASKS + 2);
        tick(6);
        report(0.5, 0.05);
        Dispatcher dispatcher = rm.getRMContext().getDispatcher();
        dispatcher.register(Moment.class, event -> {
            administratorAsksFor(Resource.newInstance(NODE_MB / 2, NODE_CORES), -1);
            passOnTheDispatcher(6);
        });
        dispatcher.getEventHandler().handle(new AbstractEvent<>(Moment.NOW) {});
        rm.drainEvents();
        assertThat(usableMb()).as("ours came last").isEqualTo(LARGER_MB);

        tick(2);

        assertThat(told().configured().memoryMb()).isEqualTo(NODE_MB / 2);
        assertThat(decision().reason()).isEqualTo(SizeDecision.Reason.CONFIGURED_ANEW);
        assertThat(usableMb()).isEqualTo(NODE_MB / 2);
        assertThat(plugin().placement().gate().faults().total()).isZero();
    }

    @ParameterizedTest
    @ValueSource(classes = {TimedSchedulers.OurCapacity.class, TimedSchedulers.OurFair.class})
    void administratorsSizeIsTheConfiguredOneThoughWeGaveTheSame(Class<?> scheduler) throws Exception {
        start(scheduler, "on");
        fill(TASKS + 2);
        grow();

        administratorAsksFor(Resource.newInstance(scheduled().getTotalResource()), -1);
        rm.drainEvents();
        tick(2);

        assertThat(told().configured().memoryMb()).isEqualTo(LARGER_MB);
        assertThat(usableMb()).isEqualTo(LARGER_MB);
    }
}
