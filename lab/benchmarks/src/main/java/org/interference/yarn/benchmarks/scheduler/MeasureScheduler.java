package org.interference.yarn.benchmarks.scheduler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

    /** What each figure may be at least. */
    private static final Map<String, Double> AT_LEAST = new LinkedHashMap<>();

    /** What each figure may be at most. */
    private static final Map<String, Double> AT_MOST = Map.of(GROWTH, 2.0);

    static {
        for (String cluster : List.of("1000", "4000", "10000")) {
            AT_LEAST.put("ratio_on_" + cluster, 0.95);
            AT_LEAST.put("ratio_off_" + cluster, 0.99);
        }
        for (String cluster : List.of("1000", "4000")) {
            AT_LEAST.put("fair_ratio_on_" + cluster, 0.95);
            AT_LEAST.put("fair_ratio_off_" + cluster, 0.99);
        }
    }

    /** Below these, whoever is compared did not do what is claimed. */
    private static final List<String> DECIDED =
            List.of("decided_share_always_1000", "decided_share_always_4000", "decided_share_always_10000");

    private static final double LEAST_DECIDED = 0.9;

    private MeasureScheduler() {}

    /** Usage: {@code MeasureScheduler PART-NODES|bounds FILE [ROUNDS]}, PART one of capacity, fair, multi-node, decision,
     * fair-decision and heap; after ROUNDS, capacity and fair take who is to be measured, as in {@code stock,on}. */
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
            case "capacity" ->
                ThroughputPart.measure(Family.CAPACITY, nodes(part), contenders, rounds, directory, results);
            case "fair" -> ThroughputPart.measure(Family.FAIR, nodes(part), contenders, rounds, directory, results);
            case "decision" -> DecisionPart.measure(Family.CAPACITY, nodes(part), rounds, directory, results);
            case "fair-decision" -> DecisionPart.measure(Family.FAIR, nodes(part), rounds, directory, results);
            case "heap" -> HeapPart.measure(nodes(part), directory, results);
            case "bounds" -> printBounds(published);
            case "multi-node" ->
                ThroughputPart.measure(
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

    private static List<Contender> contenders(String names) {
        return Arrays.stream(names.split(","))
                .map(name -> Contender.valueOf(name.toUpperCase(Locale.ROOT)))
                .toList();
    }

    /** @throws IllegalStateException if the figures say nothing, however good they are */
    private static void printBounds(ResultFile published) {
        published
                .results()
                .put(
                        GROWTH,
                        published.figure("added_us_p50_always_10000") / published.figure("added_us_p50_always_1000"));
        AT_LEAST.forEach((name, bound) -> print(name, published, "at least", bound, published.figure(name) >= bound));
        AT_MOST.forEach((name, bound) -> print(name, published, "at most", bound, published.figure(name) <= bound));
        for (String name : DECIDED) {
            double share = published.figure(name);
            if (!(share >= LEAST_DECIDED)) {
                throw new IllegalStateException(
                        "%s is %.2f, not %.2f: the plugin did not decide".formatted(name, share, LEAST_DECIDED));
            }
        }
    }

    private static void print(String name, ResultFile published, String what, double bound, boolean kept) {
        System.out.printf(
                "%-32s %10.4g   %s %-6.4g %s%n", name, published.figure(name), what, bound, kept ? "" : "MISSED");
    }

    private static int nodes(String part) {
        return Integer.parseInt(part.substring(part.lastIndexOf('-') + 1));
    }
}
