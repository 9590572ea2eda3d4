package org.interference.yarn.sim.policy;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.interference.yarn.capacity.yarn.ConfiguredSizes;
import org.interference.yarn.capacity.yarn.KeptSize;
import org.interference.yarn.capacity.yarn.NodeSizes;
import org.interference.yarn.sim.engine.CreationTime;
import org.interference.yarn.sim.engine.Insight;

/** The sizes that one of the project's schedulers gives its nodes, by the time of a simulation. Not thread-safe. */
final class OwnSizes {
    private final AbstractYarnScheduler<?, ?> scheduler;
    private final NodeSizes sizes;
    private final SizeHistory history;

    private OwnSizes(AbstractYarnScheduler<?, ?> scheduler, NodeSizes sizes, SizeHistory history) {
        this.scheduler = scheduler;
        this.sizes = sizes;
        this.history = history;
    }

    /** Has {@code sizes} have their turn once in every virtual second, and {@code history} know what they made of the nodes. */
    static void of(AbstractYarnScheduler<?, ?> scheduler, NodeSizes sizes, Insight insight, SizeHistory history) {
        OwnSizes own = new OwnSizes(scheduler, sizes, history);
        insight.everySecond().accept(() -> own.everySecond(insight.clock().instant()));
    }

    private void everySecond(Instant now) {
        for (SchedulerNode node : scheduler.getNodeTracker().getAllNodes()) {
            node.getCopiedListOfRunningContainers()
                    .forEach(container -> CreationTime.atMost(container, now.toEpochMilli()));
        }
        sizes.tick(now);
        sizes.report().nodes().forEach(node -> history.add(now, node.wanted().memoryMb()));
    }

    /** Configured sizes that outlive nothing: a simulated ResourceManager has one life. */
    static final class Kept implements ConfiguredSizes {
        private Map<String, KeptSize> kept = Map.of();

        @Override
        public Optional<Map<String, KeptSize>> before() {
            return Optional.of(Map.of());
        }

        @Override
        public Map<String, KeptSize> kept() {
            return kept;
        }

        @Override
        public void keep(Map<String, KeptSize> sizes) {
            kept = Map.copyOf(sizes);
        }
    }
}
