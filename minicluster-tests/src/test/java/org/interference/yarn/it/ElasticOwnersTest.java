package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.MockNM;
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
}
