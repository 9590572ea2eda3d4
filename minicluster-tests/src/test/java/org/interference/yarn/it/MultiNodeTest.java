package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.MockAM;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.MultiNodeLookupPolicy;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.app.Surroundings;
import org.interference.yarn.place.Placement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Multi-node placement hands out all nodes of the cluster: of a full one hardly any fits. */
class MultiNodeTest {
    private static final int NODES = 20;
    private static final AtomicLong NANOS = new AtomicLong();
    private static final long NANOS_PER_NODE = TimeUnit.MICROSECONDS.toNanos(100);

    @TempDir
    private Path store;

    /** Time passes only where nodes are handed out. */
    public static final class TimedScheduler extends InterferenceAwareScheduler {
        @Override
        protected Surroundings surroundings() {
            Surroundings real = super.surroundings();
            return new Surroundings(
                    real.clock(),
                    real.decoding(),
                    real.background(),
                    real.slow(),
                    real.storage(),
                    real.snapshots(),
                    real.random(),
                    NANOS::get,
                    real.wallClock(),
                    real.learnt(),
                    real.sizes());
        }
    }

    /** The fullest first. */
    public static final class FullestFirst<N extends SchedulerNode> implements MultiNodeLookupPolicy<N> {
        private final Map<String, Set<N>> byPartition = new ConcurrentHashMap<>();

        @Override
        public Iterator<N> getPreferredNodeIterator(Collection<N> nodes, String partition) {
            List<N> order = new ArrayList<>(nodes);
            order.sort(Comparator.comparingLong(
                    node -> node.getUnallocatedResource().getMemorySize()));
            return order.stream().peek(node -> NANOS.addAndGet(NANOS_PER_NODE)).iterator();
        }

        @Override
        public void addAndRefreshNodesSet(Collection<N> nodes, String partition) {
            byPartition.put(partition, new LinkedHashSet<>(nodes));
        }

        @Override
        public Set<N> getNodesPerPartition(String partition) {
            return byPartition.getOrDefault(partition, Set.of());
        }
    }

    @Test
    void aDecisionIsMadeOfTheNodesThatThereIsTimeToLookAt() throws Exception {
        Profiles.store(store, 0.1, List.of("any-task/priority-1"));
        try (VisitedCluster cluster = new VisitedCluster(conf(), NODES)) {
            MockAM filler = cluster.start(0);
            MockAM master = cluster.start(0, "ifc:any-task");
            cluster.ask(filler, VisitedCluster.NODE_MB, NODES);
            cluster.beatAll(3);
            int filled = cluster.got(filler).size();
            assertThat(filled).isGreaterThanOrEqualTo(NODES - 2);
            Placement placement = SeededLife.sources(cluster.rm()).placement();
            long before = placement.gate().health().tooSlow();
            cluster.ask(filler, VisitedCluster.NODE_MB, 0);
            cluster.ask(master, 1024, 1);

            cluster.beatAll(1);

            assertThat(cluster.got(master)).extracting(Container::getNodeId).hasSize(1);
            assertThat(placement.gate().health().tooSlow()).isEqualTo(before);
        }
    }

    private Configuration conf() {
        Configuration conf = VisitedCluster.ours(store);
        conf.set(YarnConfiguration.RM_SCHEDULER, TimedScheduler.class.getName());
        conf.setInt("yarn.interference.place.decision-limit-ms", 1);
        conf.setBoolean("yarn.scheduler.capacity.multi-node-placement-enabled", true);
        conf.set("yarn.scheduler.capacity.multi-node-sorting.policy.names", "default");
        conf.set("yarn.scheduler.capacity.multi-node-sorting.policy", "default");
        conf.set("yarn.scheduler.capacity.multi-node-sorting.policy.default.class", FullestFirst.class.getName());
        conf.setLong("yarn.scheduler.capacity.multi-node-sorting.policy.default.sorting-interval.ms", 0);
        return conf;
    }
}
