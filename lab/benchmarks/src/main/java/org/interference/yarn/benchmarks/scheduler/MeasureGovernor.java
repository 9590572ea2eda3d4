package org.interference.yarn.benchmarks.scheduler;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.interference.yarn.benchmarks.Results;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Measures what a decision about the size of one node costs, and puts it into the file of {@code bin/lab elastic}. */
public final class MeasureGovernor {
    private MeasureGovernor() {}

    /** Usage: {@code MeasureGovernor FILE}; what else is in the file stays. */
    public static void main(String[] args) throws IOException, RunnerException {
        Path file = Path.of(args[0]);
        double micros = new Runner(new OptionsBuilder()
                        .include(GovernorBenchmark.class.getSimpleName())
                        .build())
                .runSingle()
                .getPrimaryResult()
                .getScore();
        ObjectMapper json = new ObjectMapper();
        ObjectNode figures = Files.exists(file) ? (ObjectNode) json.readTree(file.toFile()) : json.createObjectNode();
        Results results = new Results(figures.withObject("/results"));
        results.put("governor_us_per_node", micros);
        results.put("governor_us_per_node_of", GovernorBenchmark.DESCRIPTION);
        Files.writeString(file, figures.toPrettyString() + "\n");
    }
}
