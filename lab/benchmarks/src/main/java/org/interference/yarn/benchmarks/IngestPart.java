package org.interference.yarn.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeStatusEvent;
import org.interference.yarn.ingest.NodeSample;

/** What one heartbeat of each of 10,000 nodes costs the ResourceManager: processor time, garbage, and what it holds. */
final class IngestPart {
    private static final int NODES = 10_000;
    private static final int WARM_UP_ROUNDS = 10;
    private static final int ROUNDS = 15;
    private static final double NANOS = 1e9;
    /** A collection may leave behind what only the next one finds unreachable. */
    private static final int COLLECTIONS = 3;

    private final TappedCluster cluster = new TappedCluster(NODES);

    private IngestPart() {}

    /** Every node sends once a second, so that the seconds which a round takes are a share of one core. */
    static void measureCpu(Results results) {
        new IngestPart().cpu(results);
    }

    /** What is held after a round, by the difference of the heap. */
    static void measureHeap(Results results) {
        new IngestPart().heap(results);
    }

    private void cpu(Results results) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        for (int i = 0; i < WARM_UP_ROUNDS; i++) {
            cluster.handle(cluster.nextRound());
        }
        double[] ours = new double[ROUNDS];
        double[] withCollector = new double[ROUNDS];
        double[] garbage = new double[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            RMNodeStatusEvent[] heartbeats = cluster.nextRound();
            // The garbage of making the heartbeats is not the round's to collect.
            System.gc();
            long allocated = threads.getCurrentThreadAllocatedBytes();
            long all = process.getProcessCpuTime();
            long start = threads.getCurrentThreadCpuTime();
            cluster.handle(heartbeats);
            ours[i] = (threads.getCurrentThreadCpuTime() - start) / NANOS;
            withCollector[i] = (process.getProcessCpuTime() - all) / NANOS;
            garbage[i] = (double) (threads.getCurrentThreadAllocatedBytes() - allocated) / NODES;
        }
        cluster.requireAllAccepted();
        results.put("ingest_core_fraction_10k_nodes", Distribution.of(ours));
        results.put("ingest_core_fraction_10k_nodes_with_gc_and_jit", Distribution.of(withCollector));
        results.put("ingest_allocated_bytes_per_heartbeat", Distribution.of(garbage));
    }

    private void heap(Results results) {
        double containers = (double) NODES * Reports.CONTAINERS;
        long before = used();
        cluster.handle(cluster.nextRound());
        results.put("heap_bytes_per_container", (used() - before) / containers);
        cluster.requireAllAccepted();
        for (NodeSample sample : cluster.ingest().all()) {
            sample.load();
        }
        results.put("heap_bytes_per_container_after_every_node_was_ranked", (used() - before) / containers);
        cluster.requireAllAccepted();
    }

    private static long used() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return memory.getHeapMemoryUsage().getUsed();
    }
}
