package org.interference.yarn.benchmarks.scheduler;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.interference.yarn.benchmarks.Distribution;
import org.interference.yarn.benchmarks.Results;

/** What the plugin holds in memory for a node: a cluster with it, less one without, both in the midst of their work. */
final class HeapPart {
    private static final int COLLECTIONS = 3;
    private static final int CONTAINERS_OF_A_NODE = 8;

    private HeapPart() {}

    static void measure(int nodes, int rounds, Path directory, Results results) throws IOException, YarnException {
        double[] bytes = new double[rounds];
        // The first is there to load every class.
        for (int round = -1; round < rounds; round++) {
            long stock = held(Contender.STOCK, nodes, directory.resolve("stock" + round));
            long ours = held(Contender.ON, nodes, directory.resolve("on" + round));
            System.out.printf("%d nodes: stock %d, ours %d bytes%n", nodes, stock, ours);
            if (round >= 0) {
                bytes[round] = (double) (ours - stock) / nodes;
            }
        }
        results.put("heap_bytes_per_node", Distribution.of(bytes));
        results.put(
                "heap_bytes_per_node_of",
                "%d nodes, %d measured containers and %d new ones each"
                        .formatted(nodes, LoadedCluster.RUNNING, CONTAINERS_OF_A_NODE));
    }

    private static long held(Contender contender, int nodes, Path directory) throws IOException, YarnException {
        long before = used();
        try (LoadedCluster cluster = new LoadedCluster(Family.CAPACITY.configuration(contender), nodes, directory)) {
            cluster.run(nodes * CONTAINERS_OF_A_NODE);
            cluster.finish();
            return used() - before;
        }
    }

    private static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
