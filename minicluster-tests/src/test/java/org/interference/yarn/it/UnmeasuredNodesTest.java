package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.Visits;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that sends no reports, as during a roll-out or where the collector died, is not an empty one: YARN knows who is there. */
class UnmeasuredNodesTest {
    private static final int NODES = 4;
    private static final int REPLICAS = 7;

    @TempDir
    private Path store;

    @ParameterizedTest(name = "{0} nodes without reports")
    @ValueSource(ints = {0, 1, 2, NODES})
    void replicasAreSpreadOverMeasuredAndUnmeasuredNodesAlike(int unmeasured) throws Exception {
        try (VisitedCluster cluster = new VisitedCluster(VisitedCluster.ours(store), NODES)) {
            MockAM master = cluster.start(0, "ifc-spread");
            cluster.report(NODES - unmeasured, 0.1);
            cluster.visitAll(1);
            Map<NodeId, Integer> containers = new HashMap<>();
            containers.put(cluster.node(0).getNodeId(), 1);
            for (int i = 0; i < REPLICAS; i++) {
                cluster.ask(master, 512, 1);
                // To the one without reports, if there is any.
                Visits.visit(cluster.rm(), cluster.node(NODES - 1));
                for (Container got : cluster.got(master)) {
                    containers.merge(got.getNodeId(), 1, Integer::sum);
                }
                SeededLife.sources(cluster.rm());
                cluster.visitAll(1);
            }

            assertThat(containers.values()).as("%s", containers).containsOnly((REPLICAS + 1) / NODES);
        }
    }
}
