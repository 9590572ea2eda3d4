package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.Visits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A request waits for the places that it prefers as long as with YARN's own scheduler. */
class LocalityTest {
    private static final int NODES = 40;
    private static final int DELAY = 25;
    private static final String PREFERRED = "127.0.0." + NODES;

    @TempDir
    private Path store;

    /** Nodes that are held back are offered as long as somebody takes one of them: that is one missed opportunity each, not many. */
    @Test
    void aRequestFallsBackAfterAsManyVisitsAsWithTheStockSchedulerWhileOthersTakeWhatItLeaves() throws Exception {
        int stock = visitsUntilFallback(VisitedCluster.stock());
        Profiles.store(store, 0.5, List.of("any-task/priority-1"));

        int ours = visitsUntilFallback(VisitedCluster.ours(store));

        assertThat(ours).isEqualTo(stock).isGreaterThanOrEqualTo(DELAY);
    }

    private static int visitsUntilFallback(Configuration conf) throws Exception {
        conf.setInt("yarn.scheduler.capacity.node-locality-delay", DELAY);
        conf.setInt("yarn.scheduler.capacity.rack-locality-additional-delay", NODES);
        try (VisitedCluster cluster = new VisitedCluster(conf, NODES)) {
            MockAM choosy = cluster.start(0, "ifc:any-task");
            MockAM other = cluster.start(0, "ifc:any-task");
            cluster.reportAll(0.1);
            cluster.ask(other, 1024, 1);
            Visits.visit(cluster.rm(), cluster.node(0));
            assertThat(cluster.got(other))
                    .as("so that requests are known to be ranked")
                    .hasSize(1);
            cluster.ask(other, 1024, 2 * NODES);
            cluster.ask(
                    choosy,
                    List.of(
                            choosy.createResourceReq(PREFERRED, 1024, 1, 1),
                            choosy.createResourceReq("/default-rack", 1024, 1, 1),
                            choosy.createResourceReq(ResourceRequest.ANY, 1024, 1, 1)));
            for (int visits = 1; visits < NODES; visits++) {
                Visits.visit(cluster.rm(), cluster.node(visits - 1));
                List<Container> got = cluster.got(choosy);
                if (!got.isEmpty()) {
                    assertThat(got.get(0).getNodeId().getHost()).isNotEqualTo(PREFERRED);
                    return visits;
                }
            }
            return Integer.MAX_VALUE;
        }
    }
}
