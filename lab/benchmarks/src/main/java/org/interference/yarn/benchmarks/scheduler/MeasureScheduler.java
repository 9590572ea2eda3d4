package org.interference.yarn.benchmarks.scheduler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.interference.yarn.benchmarks.ResultFile;
import org.interference.yarn.benchmarks.Results;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures one part of what scheduling costs and adds its figures to a file; bin/lab scheduler gives each a JVM. */
public final class MeasureScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(MeasureScheduler.class);
    private static final int ROUNDS = 5;

    private static final String GROWTH = "added_us_p50_always_10000_over_1000";
    private static final String HEAP = "heap_bytes_per_node";
    private static final double MOST_HEAP = 9000;

    /** What each figure may be at least, of both schedulers. */
    private static final Map<String, Double> AT_LEAST = new LinkedHashMap<>();

    /** What each figure may be at most, of both schedulers. */
    private static final Map<String, Double> AT_MOST = new LinkedHashMap<>();

    /** Below these, whoever is compared did not do what is claimed. */
    private static final List<String> DECIDED = new ArrayList<>();

    static {
        for (String cluster : List.of("1000", "4000", "10000", "20000")) {
            AT_LEAST.put("ratio_on_" + cluster, 0.95);
        }
        AT_LEAST.put("ratio_always_10000", 0.85);
        AT_LEAST.put("decided_1000", 0.99);
        AT_LEAST.put("decided_5000", 0.95);
        AT_LEAST.put("decided_20000", 0.5);
        AT_MOST.put(GROWTH, 2.0);
        for (String cluster : List.of("1000", "4000", "10000")) {
            AT_LEAST.put("ratio_off_" + cluster, 0.99);
            AT_MOST.put("decision_p50_us_" + cluster, 10.0);
            AT_MOST.put("decision_p99_us_" + cluster, 50.0);
            DECIDED.add("decided_share_always_" + cluster);
        }
    }

    private static final double LEAST_DECIDED = 0.9;

    private MeasureScheduler() {}

    /** Usage: {@code MeasureScheduler PART-NODES|bounds FILE [ROUNDS]}, PART one of capacity, fair, multi-node, decision,
     * fair-decision, paced, fair-paced and heap; after ROUNDS, capacity and fair take who is to be measured, as in {@code stock,on}. */
    public static void main(String[] args) {
        int status = 1;
        try {
            if (args.length < 2 || args.length > 4) {
                throw new IllegalArgumentException("needed: PART FILE [ROUNDS [CONTENDERS]]");
            }
            measure(
                    args[0],
                    Path.of(args[1]),
                    args.length > 2 ? Integer.parseInt(args[2]) : ROUNDS,
                    args.length > 3 ? contenders(args[3]) : List.of(Contender.values()));
            status = 0;
        } catch (Throwable e) {
            LOG.error("nothing was measured", e);
        }
        // main-program:off: Hadoop's daemons leave threads behind.
        System.exit(status);
        // main-program:on
    }

    private static void measure(String part, Path file, int rounds, List<Contender> contenders)
            throws IOException, YarnException {
        ResultFile published = ResultFile.open(file, "scheduler-scale", "bin/lab scheduler");
        Results results = published.results();
        Path directory = Files.createTempDirectory(file.toAbsolutePath().getParent(), part);
        int dash = part.lastIndexOf('-');
        String what = dash < 0 ? part : part.substring(0, dash);
        switch (what) {
            case "capacity" -> throughput(Family.CAPACITY, nodes(part), contenders, rounds, directory, results);
            case "fair" -> throughput(Family.FAIR, nodes(part), contenders, rounds, directory, results);
            case "decision" ->
                DecisionPart.measure(Family.CAPACITY, nodes(part), rounds, directory, of(Family.CAPACITY, results));
            case "paced" ->
                PacedPart.measure(Family.CAPACITY, nodes(part), rounds, directory, of(Family.CAPACITY, results));
            case "fair-paced" ->
                PacedPart.measure(Family.FAIR, nodes(part), rounds, directory, of(Family.FAIR, results));
            case "fair-decision" ->
                DecisionPart.measure(Family.FAIR, nodes(part), rounds, directory, of(Family.FAIR, results));
            case "heap" -> HeapPart.measure(nodes(part), directory, results);
            case "bounds" -> printBounds(published);
            case "multi-node" ->
                throughput(
                        Family.CAPACITY_MULTI_NODE,
                        nodes(part),
                        List.of(Contender.STOCK, Contender.ALWAYS),
                        rounds,
                        directory,
                        results);
            default -> throw new IllegalArgumentException("no such part: " + part);
        }
        published.write();
    }

    private static void throughput(
            Family family, int nodes, List<Contender> contenders, int rounds, Path directory, Results results)
            throws IOException, YarnException {
        ThroughputPart.measure(family, nodes, contenders, rounds, directory, of(family, results));
    }

    private static Results of(Family family, Results results) {
        return results.beside(family.key());
    }

    private static List<Contender> contenders(String names) {
        return Arrays.stream(names.split(","))
                .map(name -> Contender.valueOf(name.toUpperCase(Locale.ROOT)))
                .toList();
    }

    /** @throws IllegalStateException if the figures say nothing, however good they are */
    private static void printBounds(ResultFile published) {
        for (Family family : List.of(Family.CAPACITY, Family.FAIR)) {
            for (int percent : new int[] {50, 99}) {
                String name = "decision_p" + percent + "_us";
                of(family, published.results())
                        .put(
                                name,
                                IntStream.of(1_000, 4_000, 10_000)
                                        .mapToDouble(nodes -> published.figure(family.key(), name + "_" + nodes))
                                        .max()
                                        .orElseThrow());
            }
            of(family, published.results())
                    .put(
                            GROWTH,
                            published.figure(family.key(), "added_us_p50_always_10000")
                                    / published.figure(family.key(), "added_us_p50_always_1000"));
            AT_LEAST.forEach((name, bound) -> {
                double figure = published.figure(family.key(), name);
                print(family.key() + "." + name, figure, "at least", bound, figure >= bound);
            });
            AT_MOST.forEach((name, bound) -> {
                double figure = published.figure(family.key(), name);
                print(family.key() + "." + name, figure, "at most", bound, figure <= bound);
            });
            for (String name : DECIDED) {
                double share = published.figure(family.key(), name);
                if (!(share >= LEAST_DECIDED)) {
                    throw new IllegalStateException("%s.%s is %.2f, not %.2f: the plugin did not decide"
                            .formatted(family.key(), name, share, LEAST_DECIDED));
                }
            }
        }
        print(HEAP, published.figure(HEAP), "at most", MOST_HEAP, published.figure(HEAP) <= MOST_HEAP);
    }

    private static void print(String name, double figure, String what, double bound, boolean kept) {
        System.out.printf("%-36s %10.4g   %s %-6.4g %s%n", name, figure, what, bound, kept ? "" : "MISSED");
    }

    private static int nodes(String part) {
        return Integer.parseInt(part.substring(part.lastIndexOf('-') + 1));
    }
}
