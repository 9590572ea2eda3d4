package org.interference.yarn.benchmarks.scheduler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.interference.yarn.benchmarks.ResultFile;
import org.interference.yarn.benchmarks.Results;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures REST on a large cluster and writes its file; see bin/lab rest. */
public final class MeasureRest {
    private static final Logger LOG = LoggerFactory.getLogger(MeasureRest.class);
    private static final double MOST_P99_MILLIS = 200;
    private static final double LEAST_RATIO = 0.98;

    private MeasureRest() {}

    /** Usage: {@code MeasureRest FILE}. */
    public static void main(String[] args) {
        int status = 1;
        try {
            measure(Path.of(args[0]));
            status = 0;
        } catch (Throwable e) {
            LOG.error("nothing was measured", e);
        }
        // main-program:off: Hadoop's daemons leave threads behind.
        System.exit(status);
        // main-program:on
    }

    private static void measure(Path file) throws IOException, YarnException, InterruptedException {
        ResultFile published = ResultFile.open(file, "rest", "bin/lab rest");
        Results results = published.results();
        RestPart.measure(Files.createTempDirectory(file.toAbsolutePath().getParent(), "rest"), results);
        published.write();
        double p99 = published.figure("read_p99_ms");
        double ratio = published.figure("allocation_ratio_while_polled");
        System.out.printf(
                "read_p99_ms %.1f, at most %.0f %s%n", p99, MOST_P99_MILLIS, p99 <= MOST_P99_MILLIS ? "" : "MISSED");
        System.out.printf(
                "allocation_ratio_while_polled %.3f, at least %.2f %s%n",
                ratio, LEAST_RATIO, ratio >= LEAST_RATIO ? "" : "MISSED");
    }
}
