package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;
import org.interference.yarn.place.yarn.InterferenceAppPlacementAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin works through an allocator of its own, and says so to an operator who has configured another one. */
class ReplacedAllocatorTest {
    /** Hadoop 3.3 has no such setting. */
    private static final String ALLOCATOR = "yarn.scheduler.app-placement-allocator.class";

    @TempDir
    private Path store;

    @Test
    void healthNamesTheAllocatorThatIsNotUsed() throws Exception {
        Configuration conf = VisitedCluster.ours(store);
        conf.set(ALLOCATOR, LocalityAppPlacementAllocator.class.getName());
        try (VisitedCluster cluster = new VisitedCluster(conf, 1)) {
            assertThat(cluster.rm().getRMContext().getYarnConfiguration().get(ALLOCATOR))
                    .isEqualTo(InterferenceAppPlacementAllocator.class.getName());
            assertThat(problem(cluster))
                    .contains("yarn.scheduler.app-placement-allocator.class is "
                            + LocalityAppPlacementAllocator.class.getName()
                            + ", which is not used: the plugin replaces it with its own");
        }
    }

    @Test
    void nothingIsSaidWhereNobodyConfiguredOne() throws Exception {
        try (VisitedCluster cluster = new VisitedCluster(VisitedCluster.ours(store), 1)) {
            assertThat(problem(cluster)).isEmpty();
        }
    }

    private static Optional<String> problem(VisitedCluster cluster) {
        return SeededLife.sources(cluster.rm()).control().problem();
    }
}
