package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator;
import org.interference.yarn.place.Ranking;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What fits on a node is what the scheduler's calculator says. */
class CalculatorTest {
    private static final int NODES = 4;
    private static final int CORES = 2;
    private static final int CONTAINERS = 5 * NODES * CORES / 2;

    @TempDir
    private Path store;

    /** YARN's default calculator looks at memory alone, so containers may have more cores than there are: on the busiest nodes. */
    @Test
    void requestsAreRankedThoughCoresHaveRunOutWhereTheSchedulerCountsMemoryAlone() throws Exception {
        Profiles.store(store, 0.1, List.of("any-task/priority-1"));
        try (VisitedCluster cluster = new VisitedCluster(VisitedCluster.ours(store), NODES, CORES)) {
            assertThat(cluster.scheduler().getResourceCalculator()).isInstanceOf(DefaultResourceCalculator.class);
            MockAM master = cluster.start(0, "ifc:any-task");
            cluster.reportAll(0.1);
            Map<Ranking.Reason, Long> before = decisions(cluster);
            cluster.ask(master, 1024, CONTAINERS);

            cluster.visitAll(2 * CONTAINERS);

            assertThat(cluster.got(master)).hasSize(CONTAINERS);
            assertThat(decisions(cluster).get(Ranking.Reason.RANKED) - before.get(Ranking.Reason.RANKED))
                    .isEqualTo(CONTAINERS);
        }
    }

    private static Map<Ranking.Reason, Long> decisions(VisitedCluster cluster) {
        return new EnumMap<>(
                SeededLife.sources(cluster.rm()).placement().decisions().counts());
    }
}
