package org.interference.yarn.benchmarks.scheduler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.exceptions.YarnException;

/**
 * A ResourceManager with its web server, on which nodes go on reporting: what the page, the contract and the command line are tried
 * against. It runs until it is killed.
 */
public final class Stage {
    private static final Duration BETWEEN_REPORTS = Duration.ofSeconds(5);
    private static final int RUNNING = 6;
    private static final int PLACED_BETWEEN_REPORTS = 2;

    private Stage() {}

    /** Usage: {@code Stage PORT NODES}. Says {@code ready} when it is. */
    public static void main(String[] args) throws IOException, YarnException {
        int nodes = Integer.parseInt(args[1]);
        Path directory = Files.createTempDirectory("interference-stage");
        Configuration conf = Family.CAPACITY_MULTI_NODE.configuration(Contender.SHADOW);
        // However slow the machine, every placement is ranked: it has several nodes to choose from, and the time.
        conf.setDouble("yarn.interference.place.time-share", 1);
        conf.setInt("yarn.interference.place.decision-limit-ms", 0);
        LoadedCluster cluster = new LoadedCluster(
                conf,
                new LoadedCluster.Size(nodes, LoadedCluster.SLOTS, RUNNING),
                directory,
                OptionalInt.of(Integer.parseInt(args[0])));
        place(cluster);
        System.out.println("ready");
        System.out.flush();
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(BETWEEN_REPORTS.toNanos());
            place(cluster);
        }
    }

    private static void place(LoadedCluster cluster) throws IOException, YarnException {
        cluster.report();
        cluster.run(cluster.size() * PLACED_BETWEEN_REPORTS);
        cluster.release();
    }
}
