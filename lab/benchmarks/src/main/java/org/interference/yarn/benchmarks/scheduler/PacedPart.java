package org.interference.yarn.benchmarks.scheduler;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.interference.yarn.benchmarks.Distribution;
import org.interference.yarn.benchmarks.Results;
import org.interference.yarn.place.Ranking;

/**
 * Of how many containers the plugin decides, as released, when so many nodes a second report and have room for one: the share of a scheduler's
 * time that it may take bounds what it can decide about, and what comes slower than a scheduler can allocate need not be the parent's.
 */
final class PacedPart {
    private static final int[] RATES = {1_000, 5_000, 20_000};
    private static final int MOST_SECONDS = 4;
    private static final int WARM_UP_ROUNDS = 2;

    /** Containers of each node, so that some find room when all are allocated. */
    private static final int OF_A_NODE = 8;

    private PacedPart() {}

    static void measure(Family family, int nodes, int rounds, Path directory, Results results)
            throws IOException, YarnException {
        LoadedCluster cluster = new LoadedCluster(family.byHeartbeats(Contender.ON), nodes, directory);
        NodeVisits visits = new NodeVisits(cluster);
        for (int rate : RATES) {
            int containers = Math.min(nodes * OF_A_NODE, rate * MOST_SECONDS);
            double[] decided = new double[rounds];
            double[] reached = new double[rounds];
            for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
                cluster.report();
                Map<Ranking.Reason, Long> before = ThroughputPart.decisions(cluster);
                long start = System.nanoTime();
                visits.pace(containers, rate);
                double seconds = (System.nanoTime() - start) / 1e9;
                cluster.release();
                if (round >= 0) {
                    decided[round] = ThroughputPart.decided(before, ThroughputPart.decisions(cluster));
                    reached[round] = containers / seconds;
                }
            }
            System.out.printf(
                    "%s %d, %d a second: %.0f were reached, %.3f decided%n",
                    family.key(),
                    nodes,
                    rate,
                    DoubleStream.of(reached).average().orElseThrow(),
                    DoubleStream.of(decided).average().orElseThrow());
            results.put("decided_" + rate, Distribution.of(decided));
            results.put("reached_" + rate, Distribution.of(reached));
        }
    }
}
