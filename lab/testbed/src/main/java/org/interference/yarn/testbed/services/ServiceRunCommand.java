package org.interference.yarn.testbed.services;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.client.api.AppAdminClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.awaitility.Awaitility;
import org.interference.yarn.demo.Progress;
import org.interference.yarn.lab.stats.Quantiles;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** One case under one plan on the bed that is up: launched, asked for a while, and destroyed. */
@Command(
        name = "service-run",
        description = "Runs one case under one plan, and adds what its requests took to the results.")
public final class ServiceRunCommand implements Callable<Integer> {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final double WARM_UP_SECONDS = 5;
    private static final double NANOS = 1e9;
    /** Mean time between an answer and the next request; exponentially distributed, so that requests are in step with nothing. */
    private static final double PAUSE_SECONDS = 0.1;

    private static final double P95 = 95;

    @Option(names = "--bed", required = true)
    private Path bed;

    @Option(names = "--cases", required = true, description = "The folder with the services files.")
    private Path cases;

    @Option(names = "--program", required = true, description = "What a tier is.")
    private Path program;

    @Option(names = "--results", required = true, description = "The file that a line for each tier is added to.")
    private Path results;

    @Option(names = "--case", required = true)
    private String name;

    @Option(names = "--plan", required = true)
    private String planName;

    @Option(names = "--repetition", required = true)
    private int repetition;

    @Option(names = "--seconds", required = true, description = "For which requests are measured.")
    private int seconds;

    @Option(names = "--waited", required = true)
    private double waited;

    private final Progress progress;

    public ServiceRunCommand(Progress progress) {
        this.progress = progress;
    }

    @Override
    public Integer call() throws Exception {
        PlannedBy plan = PlannedBy.named(planName);
        Path directory = Files.createTempDirectory(bed.resolve("tmp"), "tiers");
        ServiceCase services = ServiceCase.read(cases, name, program + " " + directory);
        Path yarnfile = Files.writeString(directory.resolve("Yarnfile"), services.yarnfile(plan));
        Configuration conf = new YarnConfiguration();
        // The ApplicationMaster gets this process's class path, in place of an archive of all of Hadoop.
        conf.setBoolean(YarnConfiguration.IS_MINI_YARN_CLUSTER, true);
        conf.set(
                "yarn.application.admin.client.class.yarn-service",
                "org.apache.hadoop.yarn.service.client.ServiceClient");
        List<ServiceResult> run;
        try (AppAdminClient yarn = AppAdminClient.createAppAdminClient("yarn-service", conf)) {
            require(yarn.actionLaunch(yarnfile.toString(), name, null, null) == 0, "YARN did not launch it");
            try {
                awaitStable(yarn);
                Map<String, InetSocketAddress> addresses = addresses(directory, services);
                require(
                        groups(addresses).equals(services.groups(plan)),
                        "YARN placed " + groups(addresses) + " and not " + services.groups(plan));
                run = visit(services, plan, addresses);
            } finally {
                yarn.actionStop(name);
                yarn.actionDestroy(name);
            }
        }
        ServiceResult.append(results, run);
        run.forEach(result -> progress.event("%s %s %d: %s answers in %.1f ms, 95 %% in %.1f ms (%d requests)"
                .formatted(name, plan, repetition, result.tier(), result.mean(), result.p95(), result.requests())));
        return 0;
    }

    private void awaitStable(AppAdminClient yarn) throws Exception {
        ObjectMapper json = new ObjectMapper();
        await("the service is stable", () -> json.readTree(yarn.getStatusString(name))
                .path("state")
                .asText()
                .equals("STABLE"));
    }

    /** A container is ready before what runs in it listens. */
    private static Map<String, InetSocketAddress> addresses(Path directory, ServiceCase services) throws Exception {
        Map<String, InetSocketAddress> addresses = new LinkedHashMap<>();
        for (String tier : services.tiers()) {
            await(tier + " says where it listens", () -> Files.exists(directory.resolve(tier)));
            String[] place = Files.readString(directory.resolve(tier)).strip().split(" ", -1);
            addresses.put(tier, new InetSocketAddress(place[0], Integer.parseInt(place[1])));
        }
        return addresses;
    }

    private static void await(String what, Callable<Boolean> condition) {
        Awaitility.await(what).atMost(PATIENCE).pollInterval(POLL).until(condition);
    }

    private static Set<Set<String>> groups(Map<String, InetSocketAddress> addresses) {
        Map<String, Set<String>> groups = new TreeMap<>();
        addresses.forEach((tier, address) -> groups.computeIfAbsent(
                        address.getAddress().getHostAddress(), none -> new TreeSet<>())
                .add(tier));
        return new HashSet<>(groups.values());
    }

    private List<ServiceResult> visit(ServiceCase services, PlannedBy plan, Map<String, InetSocketAddress> addresses)
            throws Exception {
        long from = System.nanoTime() + (long) (WARM_UP_SECONDS * NANOS);
        long until = from + (long) (seconds * NANOS);
        Map<String, Future<List<Double>>> visits = new LinkedHashMap<>();
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            for (String tier : services.asking()) {
                visits.put(
                        tier,
                        threads.submit(new Visitor(addresses.get(tier), System::nanoTime, pauses(tier), from, until)));
            }
            List<ServiceResult> run = new ArrayList<>();
            for (Map.Entry<String, Future<List<Double>>> visit : visits.entrySet()) {
                double[] times = visit.getValue().get(seconds + PATIENCE.toSeconds(), TimeUnit.SECONDS).stream()
                        .mapToDouble(Double::doubleValue)
                        .toArray();
                require(times.length > 0, visit.getKey() + " answered nothing");
                run.add(new ServiceResult(
                        name,
                        plan,
                        repetition,
                        waited,
                        visit.getKey(),
                        times.length,
                        Arrays.stream(times).average().orElseThrow(),
                        Quantiles.percentile(times, P95)));
            }
            return run;
        } finally {
            threads.shutdownNow();
        }
    }

    /** Returns pauses that are the same under each plan of a repetition. */
    private Runnable pauses(String tier) {
        SplittableRandom random = new SplittableRandom(31L * repetition + tier.hashCode());
        return () -> LockSupport.parkNanos((long) (-Math.log(1 - random.nextDouble()) * PAUSE_SECONDS * NANOS));
    }

    private static void require(boolean condition, String otherwise) throws IOException {
        if (!condition) {
            throw new IOException(otherwise);
        }
    }
}
