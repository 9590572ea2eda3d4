package org.interference.yarn.benchmarks.scheduler;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.interference.yarn.benchmarks.Distribution;
import org.interference.yarn.benchmarks.FreePort;
import org.interference.yarn.benchmarks.Results;
import org.interference.yarn.lab.stats.Quantiles;

/** How long REST takes on a large cluster, and what scheduling loses to those who ask. */
final class RestPart {
    private static final int NODES = 10_000;
    private static final int RUNNING = 20;
    /** Four of each node are left to allocate. */
    private static final int SLOTS = 24;

    private static final int WARM_UP = 20;
    private static final int READS = 200;
    private static final double P99 = 99;
    private static final int CLIENTS = 10;
    private static final long EACH_EVERY_MILLIS = 1000;
    private static final int PAIRS = 20;
    private static final int CONTAINERS_OF_A_NODE = 3;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String address;
    private final LoadedCluster cluster;

    private RestPart(LoadedCluster cluster, String address) {
        this.cluster = cluster;
        this.address = address;
    }

    static void measure(Path directory, Results results) throws IOException, YarnException, InterruptedException {
        int port = FreePort.find();
        LoadedCluster cluster = new LoadedCluster(
                Family.CAPACITY.configuration(Contender.ON),
                new LoadedCluster.Size(NODES, SLOTS, RUNNING),
                directory,
                OptionalInt.of(port));
        new RestPart(cluster, "http://localhost:%d/ws/v1/interference".formatted(port)).measure(results);
    }

    private void measure(Results results) throws IOException, YarnException, InterruptedException {
        results.put("nodes", (long) cluster.size());
        results.put("containers", cluster.measured());
        double worst = 0;
        Results p50 = results.under("p50_ms_of");
        Map<String, Double> p99s = new LinkedHashMap<>();
        for (String path : paths()) {
            double[] millis = read(path);
            double median = Quantiles.median(millis);
            double slow = Quantiles.percentile(millis, P99);
            p50.put(path, median);
            p99s.put(path, slow);
            worst = Math.max(worst, slow);
            System.out.printf("%-60s p50 %.1f ms, p99 %.1f ms%n", path, median, slow);
        }
        results.put("read_p99_ms", worst);
        Results p99 = results.under("p99_ms_of");
        p99s.forEach(p99::put);
        ratios(results);
    }

    private List<String> paths() {
        ContainerId container = cluster.anyContainer();
        return List.of(
                "/nodes?offset=5000",
                "/nodes?state=fresh&limit=1000",
                "/nodes/" + cluster.anyNode(),
                "/heatmap",
                "/containers?offset=100000",
                "/containers?limit=1000",
                "/containers?application=" + container.getApplicationAttemptId().getApplicationId(),
                "/containers/%s/explain".formatted(container),
                "/pairs",
                "/profiles",
                "/clusters",
                "/model",
                "/decisions",
                "/shadow-report",
                "/health",
                "/config");
    }

    /** Returns milliseconds, each read on its own. */
    private double[] read(String path) throws IOException, InterruptedException {
        double[] millis = new double[READS];
        for (int i = -WARM_UP; i < READS; i++) {
            long began = System.nanoTime();
            get(path);
            if (i >= 0) {
                millis[i] = (System.nanoTime() - began) / 1e6;
            }
        }
        return millis;
    }

    private void get(String path) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = client.send(
                HttpRequest.newBuilder(URI.create(address + path))
                        .timeout(Duration.ofMinutes(1))
                        .build(),
                HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new IOException("GET %s answered %d".formatted(path, response.statusCode()));
        }
    }

    /** Turns with and without somebody who asks, in pairs, now the one first and now the other. */
    private void ratios(Results results) throws IOException, YarnException, InterruptedException {
        double[] ratios = new double[PAIRS];
        AtomicLong reads = new AtomicLong();
        turn();
        for (int pair = 0; pair < PAIRS; pair++) {
            boolean polledFirst = pair % 2 == 0;
            double first = polledFirst ? polledTurn(reads) : turn();
            double second = polledFirst ? turn() : polledTurn(reads);
            ratios[pair] = polledFirst ? first / second : second / first;
            System.out.printf("pair %d: %.3f%n", pair, ratios[pair]);
        }
        results.put("allocation_ratio_while_polled", Distribution.of(ratios));
        results.put("polling_clients", (long) CLIENTS);
        results.put("polled_every_ms", EACH_EVERY_MILLIS);
        results.put("reads_while_polled", reads.get());
    }

    private double turn() throws IOException, YarnException {
        cluster.report();
        Drive.Run run = cluster.run(cluster.size() * CONTAINERS_OF_A_NODE);
        cluster.release();
        return run.containers() * 1e9 / run.nanos();
    }

    private double polledTurn(AtomicLong reads) throws IOException, YarnException, InterruptedException {
        List<String> paths = paths();
        ScheduledExecutorService clients = Executors.newScheduledThreadPool(CLIENTS);
        for (int i = 0; i < CLIENTS; i++) {
            int first = i;
            AtomicLong next = new AtomicLong(first);
            // Its outcome is seen: what throws ends its polling, and the reads are counted.
            Future<?> unused = clients.scheduleAtFixedRate(
                    () -> {
                        try {
                            get(paths.get((int) (next.getAndIncrement() % paths.size())));
                            reads.incrementAndGet();
                        } catch (IOException | InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    },
                    EACH_EVERY_MILLIS * i / CLIENTS,
                    EACH_EVERY_MILLIS,
                    TimeUnit.MILLISECONDS);
        }
        try {
            return turn();
        } finally {
            clients.shutdownNow();
            clients.awaitTermination(10, TimeUnit.SECONDS);
        }
    }
}
