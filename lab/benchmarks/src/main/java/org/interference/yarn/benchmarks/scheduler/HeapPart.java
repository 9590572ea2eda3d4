package org.interference.yarn.benchmarks.scheduler;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.file.Path;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.interference.yarn.benchmarks.Distribution;
import org.interference.yarn.benchmarks.Results;

/** What the plugin holds in memory for a node: a cluster with it, less one without, both in the midst of their work. */
final class HeapPart {
    private static final int PAIRS = 3;
    private static final int FEW_NODES = 100;
    private static final int COLLECTIONS = 3;
    private static final int CONTAINERS_OF_A_NODE = 8;

    private HeapPart() {}

    static void measure(int nodes, Path directory, Results results) throws IOException, YarnException {
        // These are there to load every class. None of the clusters is closed: what is left of one goes when it likes.
        held(Contender.STOCK, FEW_NODES, directory.resolve("first-stock"));
        held(Contender.ON, FEW_NODES, directory.resolve("first-on"));
        double[] bytes = new double[PAIRS];
        for (int pair = 0; pair < PAIRS; pair++) {
            long stock = held(Contender.STOCK, nodes, directory.resolve("stock" + pair));
            long ours = held(Contender.ON, nodes, directory.resolve("on" + pair));
            System.out.printf("%d nodes: stock %d, ours %d bytes%n", nodes, stock, ours);
            bytes[pair] = (double) (ours - stock) / nodes;
        }
        results.put("heap_bytes_per_node", Distribution.of(bytes));
        results.put(
                "heap_bytes_per_node_of",
                "%d nodes, each with %d measured containers and %d new ones"
                        .formatted(nodes, LoadedCluster.RUNNING, CONTAINERS_OF_A_NODE));
    }

    private static long held(Contender contender, int nodes, Path directory) throws IOException, YarnException {
        long before = used();
        LoadedCluster cluster = new LoadedCluster(Family.CAPACITY.configuration(contender), nodes, directory);
        try {
            cluster.run(nodes * CONTAINERS_OF_A_NODE);
            cluster.finish();
            return used() - before;
        } finally {
            // It is there until now.
            Reference.reachabilityFence(cluster);
        }
    }

    private static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
