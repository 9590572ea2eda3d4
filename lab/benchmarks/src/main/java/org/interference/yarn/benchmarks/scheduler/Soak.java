package org.interference.yarn.benchmarks.scheduler;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.interference.yarn.benchmarks.ResultFile;
import org.interference.yarn.benchmarks.Results;
import org.interference.yarn.lab.stats.Quantiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A ResourceManager with the plugin in mode on, for hours: nodes report, containers end and others take their place, nodes leave and come
 * back, applications end and others begin, each with a name of its own. Says whether heap, threads, files and the time that each thing
 * takes stay what they were once it is warm: the median of the last quarter of the time over that of the first.
 */
public final class Soak {
    private static final Logger LOG = LoggerFactory.getLogger(Soak.class);

    /** Four of each node are free for those that take others' place. */
    private static final int FREE_SLOTS = 4;

    /** One container in so many ends between two reports. */
    private static final int ENDING = 100;

    private static final int ROUNDS_BETWEEN_RESTARTS = 5;
    private static final int ROUNDS_BETWEEN_LOOKS = 5;
    /** Completed ones that the ResourceManager itself keeps; filled before the first quarter ends. */
    private static final int APPLICATIONS_KEPT = 20;

    /**
     * Before the time that is judged, as much again as one such part of it: what is kept of each node and of each kind, up to a bound, fills
     * up as attribution visits the nodes and containers end.
     */
    private static final int WARM_UP_PART = 6;

    private static final double BYTES_PER_MIB = 1 << 20;

    private final LoadedCluster cluster;
    private final Random random = new Random(1);
    private final List<Look> looks = new ArrayList<>();

    /** What was seen at one moment; times are of the round before. */
    private record Look(double heapMiB, int threads, int files, double reportMillis, double placeMicros) {}

    private Soak(LoadedCluster cluster) {
        this.cluster = cluster;
    }

    /** Usage: {@code Soak FILE MINUTES NODES RUNNING}. Adds its figures to the file. */
    public static void main(String[] args) {
        int status = 1;
        try {
            run(
                    Path.of(args[0]),
                    Duration.ofMinutes(Long.parseLong(args[1])),
                    Integer.parseInt(args[2]),
                    Integer.parseInt(args[3]));
            status = 0;
        } catch (Throwable e) {
            LOG.error("the soak has ended early", e);
        }
        // main-program:off: Hadoop's daemons leave threads behind.
        System.exit(status);
        // main-program:on
    }

    private static void run(Path file, Duration duration, int nodes, int running) throws IOException, YarnException {
        Path directory = Files.createTempDirectory(file.toAbsolutePath().getParent(), "soak");
        Configuration conf = Family.CAPACITY.configuration(Contender.ON);
        conf.setInt(YarnConfiguration.RM_MAX_COMPLETED_APPLICATIONS, APPLICATIONS_KEPT);
        conf.setInt(YarnConfiguration.RM_STATE_STORE_MAX_COMPLETED_APPLICATIONS, APPLICATIONS_KEPT);
        Soak soak = new Soak(new LoadedCluster(
                conf, new LoadedCluster.Size(nodes, running + FREE_SLOTS, running), directory, OptionalInt.empty()));
        int rounds = soak.rounds(0, duration.dividedBy(WARM_UP_PART));
        double heapMiBWhenLoaded = soak.looks.get(0).heapMiB();
        soak.looks.clear();
        long began = System.nanoTime();
        rounds = soak.rounds(rounds, duration);
        // Opened only now: meanwhile other proofs may have put their figures into it.
        ResultFile published = ResultFile.open(file, "reliability", "bin/lab reliability");
        published.results().put("soak_heap_mib_loaded", heapMiBWhenLoaded);
        soak.publish(Duration.ofNanos(System.nanoTime() - began), rounds, published.results());
        published.write();
    }

    /** Returns how many rounds there have been when it is over, {@code before} among them. */
    private int rounds(int before, Duration duration) throws IOException, YarnException {
        int rounds = before;
        long began = System.nanoTime();
        while (System.nanoTime() - began < duration.toNanos()) {
            round(rounds++);
        }
        return rounds;
    }

    private void round(int round) throws IOException, YarnException {
        if (round % ROUNDS_BETWEEN_RESTARTS == 0) {
            cluster.restart(random.nextInt(cluster.size()));
        }
        cluster.replace(
                round % LoadedCluster.APPLICATIONS, "tenant-" + Long.toString(random.nextLong(), Character.MAX_RADIX));
        cluster.end((int) (cluster.measured() / ENDING), random);
        long began = System.nanoTime();
        cluster.report();
        double reportMillis = (System.nanoTime() - began) / 1e6;
        int missing = (int) (cluster.wanted() - cluster.measured());
        Drive.Run run = missing < LoadedCluster.APPLICATIONS ? new Drive.Run(0, 0) : cluster.refill(missing);
        if (round % ROUNDS_BETWEEN_LOOKS == 0) {
            Look look = new Look(
                    heapMiB(),
                    ManagementFactory.getThreadMXBean().getThreadCount(),
                    openFiles(),
                    reportMillis,
                    run.containers() == 0 ? 0 : run.nanos() / 1e3 / run.containers());
            looks.add(look);
            System.out.printf(Locale.ROOT, "round %d: %d containers, %s%n", round, cluster.measured(), look);
        }
    }

    private static double heapMiB() {
        for (int i = 0; i < 2; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / BYTES_PER_MIB;
    }

    private static int openFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return (int) files.count();
        }
    }

    private void publish(Duration duration, int rounds, Results results) {
        results.put("soak_hours", duration.toMinutes() / 60.0);
        results.put("soak_nodes", (long) cluster.size());
        results.put("soak_containers", cluster.measured());
        results.put("soak_rounds", (long) rounds);
        ratio(results, "heap", "mib", Look::heapMiB);
        ratio(results, "threads", "count", Look::threads);
        ratio(results, "files", "count", Look::files);
        ratio(results, "report", "ms", Look::reportMillis);
        ratio(results, "allocation", "us", Look::placeMicros);
    }

    private void ratio(Results results, String name, String unit, ToDoubleFunction<Look> figure) {
        int quarter = looks.size() / 4;
        double first = median(looks.subList(0, quarter), figure);
        double last = median(looks.subList(looks.size() - quarter, looks.size()), figure);
        results.put("soak_%s_%s_first_quarter".formatted(name, unit), first);
        results.put("soak_%s_ratio".formatted(name), last / first);
    }

    private static double median(List<Look> looks, ToDoubleFunction<Look> figure) {
        return Quantiles.median(looks.stream().mapToDouble(figure).toArray());
    }
}
