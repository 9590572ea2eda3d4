package org.interference.yarn.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ApplicationSchedulingConfig;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FSAppAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The order that is kept between two updates of the FairScheduler holds whatever happens in between. */
@Timeout(300)
final class NeedyApplicationsTest {
    private static final Resource SLOT = Resource.newInstance(1024, 1);
    private static final int SLOTS = 40;
    private static final String QUEUES = "<queue name='any'/>";
    private static final String QUEUE = "root.any";

    @TempDir
    private Path directory;

    private final VirtualClock clock = new VirtualClock();

    /** Nobody tells of its containers, so that its place would stay what it was at the last update. */
    @Test
    void whoBringsItsOwnAllocatorGetsNoMoreThanTheParentGivesIt() throws Exception {
        Ours.Fair scheduler = new Ours.Fair(clock);
        try (FairCluster cluster = new FairCluster(scheduler, clock, directory, QUEUES, Ours.settings())) {
            NodeId node = cluster.register(SLOTS * 1024, SLOTS);
            FSAppAttempt own = cluster.submit(
                    QUEUE,
                    Ours.TAG,
                    Map.of(
                            ApplicationSchedulingConfig.ENV_APPLICATION_PLACEMENT_TYPE_CLASS,
                            LocalityAppPlacementAllocator.class.getName()));
            FSAppAttempt usual = cluster.submit(QUEUE, Ours.TAG);
            Ours.know(scheduler, clock.instant());
            cluster.ask(own, 1, SLOT, SLOTS);
            cluster.ask(usual, 2, SLOT, SLOTS);
            for (int i = 0; i < 20; i++) {
                cluster.report(node);
                cluster.heartbeat(node);
            }

            assertThat(own.getLiveContainers()).hasSize(10);
            assertThat(usual.getLiveContainers()).hasSize(10);
        }
    }
}
