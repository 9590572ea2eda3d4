package org.interference.yarn.benchmarks.control;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.interference.yarn.benchmarks.ResultFile;
import org.interference.yarn.benchmarks.Results;
import org.interference.yarn.benchmarks.prediction.CorunTable;
import org.interference.yarn.nm.control.BlockedClassifier;
import org.interference.yarn.nm.control.Classifier;
import org.interference.yarn.nm.control.Quantity;
import org.interference.yarn.nm.control.Sbcc;
import org.interference.yarn.nm.control.Usage;

/** How often each classifier is right about the tasks of the measured co-runs; bin/lab node-control runs it. */
public final class MeasureClassifiers {
    /** CSS's management interval: who makes lambda calls in each is I/O-intensive from the first one on. */
    private static final double INTERVAL_SECONDS = 5;

    /** Calls an interval, from few to many: none of them may separate the kinds. */
    private static final List<Double> LAMBDAS = List.of(30.0, 100.0, 300.0, 1000.0, 3000.0, 10_000.0);

    private static final double LEAST_BLOCKED = 0.5;

    private MeasureClassifiers() {}

    /** Usage: {@code MeasureClassifiers FILE TABLE TABLE_WITH_FUTEX_CALLS}; the figures are added to the file's. */
    public static void main(String[] args) throws IOException {
        ResultFile published = ResultFile.open(Path.of(args[0]), "node-control", "bin/lab node-control");
        Results accuracy = published.results().under("accuracy");
        FitControlClassifier.accuracies(FitControlClassifier.examples(CorunTable.read(Path.of(args[1]))))
                .forEach(accuracy::put);
        measureFutex(accuracy, FitControlClassifier.examples(CorunTable.read(Path.of(args[2]))));
        published.write();
    }

    /** Of the bounds on the calls the best counts, found on the very tasks that it is asked about: it flatters the classifier. */
    private static void measureFutex(Results accuracy, List<FitControlClassifier.Example> examples) throws IOException {
        if (examples.stream()
                .noneMatch(one -> one.window().amount(Quantity.FUTEX_CALLS).isPresent())) {
            throw new IOException("the second table has no futex calls; bin/lab corun --futex counts them");
        }
        double best = 0;
        for (double lambda : LAMBDAS) {
            double right = FitControlClassifier.accuracy(examples, sbcc(lambda));
            accuracy.put("futex_lambda_%.0f".formatted(lambda), right);
            best = Math.max(best, right);
        }
        accuracy.put("futex", best);
        accuracy.put("always_cpu_same_runs", FitControlClassifier.accuracy(examples, sbcc(Double.MAX_VALUE)));
        accuracy.put(
                "blocked_io_same_runs", FitControlClassifier.accuracy(examples, new BlockedClassifier(LEAST_BLOCKED)));
    }

    /** Asks SBCC about an interval of what the window shows. */
    private static Classifier sbcc(double lambda) {
        Classifier published = new Sbcc(lambda);
        return window -> published.classify(new Usage(
                INTERVAL_SECONDS,
                window.amounts().entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, entry -> entry.getValue() / window.seconds() * INTERVAL_SECONDS))));
    }
}
