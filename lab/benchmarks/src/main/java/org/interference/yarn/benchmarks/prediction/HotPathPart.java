package org.interference.yarn.benchmarks.prediction;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.Locale;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** What a decision costs a scheduling thread for one node. */
final class HotPathPart {
    private HotPathPart() {}

    static void measure(Path table, ObjectNode results) throws RunnerException {
        OptionsBuilder options = new OptionsBuilder();
        options.include(HotPathBenchmark.class.getSimpleName()).param("table", table.toString());
        for (RunResult run : new Runner(options.build()).run()) {
            String contestant = run.getParams().getParam("contestant").toLowerCase(Locale.ROOT);
            String method = run.getParams().getBenchmark();
            double nanos = run.getPrimaryResult().getScore();
            ObjectNode json = results.withObject("/" + contestant);
            if (method.endsWith(".predict")) {
                PredictionFigures.put(json, "prediction_ns", nanos);
            } else if (method.endsWith(".workOut")) {
                PredictionFigures.put(json, "cost_of_changed_node_ns", nanos);
            } else if (contestant.equals("composed")) {
                PredictionFigures.put(results, "hot_path_ns", nanos);
            }
        }
    }
}
