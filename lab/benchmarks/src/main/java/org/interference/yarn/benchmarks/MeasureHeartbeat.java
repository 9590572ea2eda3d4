package org.interference.yarn.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.openjdk.jmh.runner.RunnerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures one part of the heartbeat path and adds its figures to a file; bin/lab heartbeat gives every part a JVM of
 * its own.
 */
public final class MeasureHeartbeat {
    /** What each figure may be at most. */
    private static final Map<String, Double> BOUNDS = new LinkedHashMap<>();

    static {
        BOUNDS.put("bytes_40x16", 4096.0);
        BOUNDS.put("ingest_core_fraction_10k_nodes", 0.10);
        BOUNDS.put("heap_bytes_per_container", 1024.0);
        BOUNDS.put("heartbeat_ratio", 1.05);
        BOUNDS.put("fuzz_escapes", 0.0);
    }

    private static final Logger LOG = LoggerFactory.getLogger(MeasureHeartbeat.class);

    private MeasureHeartbeat() {}

    /** Usage: {@code MeasureHeartbeat standin|codec|ingest|heap|heartbeat|fuzz|bounds FILE}. */
    public static void main(String[] args) {
        int status = 1;
        try {
            if (args.length != 2) {
                throw new IllegalArgumentException("two arguments are needed: PART FILE");
            }
            measure(args[0], Path.of(args[1]));
            status = 0;
        } catch (Throwable e) {
            LOG.error("nothing was measured", e);
        }
        // main-program:off: Hadoop's daemons leave threads behind.
        System.exit(status);
        // main-program:on
    }

    private static void measure(String part, Path file) throws IOException, YarnException, RunnerException {
        ResultFile published = ResultFile.open(file, "heartbeat", "bin/lab heartbeat");
        Results results = published.results();
        switch (part) {
            case "standin" -> StandInPart.measure(results);
            case "codec" -> CodecPart.measure(results);
            case "ingest" -> IngestPart.measureCpu(results);
            case "heap" -> IngestPart.measureHeap(results);
            case "heartbeat" -> HeartbeatPart.measure(results);
            case "fuzz" -> FuzzPart.measure(results);
            case "bounds" -> printBounds(published);
            default -> throw new IllegalArgumentException("no such part: " + part);
        }
        published.write();
    }

    private static void printBounds(ResultFile published) {
        BOUNDS.forEach((name, bound) -> {
            double figure = published.figure(name);
            System.out.printf(
                    "%-32s %10.4g   at most %-6.4g %s%n", name, figure, bound, figure <= bound ? "" : "MISSED");
        });
    }
}
