package org.interference.yarn.benchmarks.control;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.interference.yarn.benchmarks.ResultFile;
import org.interference.yarn.benchmarks.Results;
import org.interference.yarn.benchmarks.prediction.CorunTable;
import org.interference.yarn.nm.collect.ProcFiles;
import org.interference.yarn.nm.control.CoreSet;
import org.interference.yarn.nm.control.FutexClassifier;
import org.interference.yarn.nm.control.Quantity;

/** Measures what the node's controller gains and costs; bin/measure-node-control runs it. */
public final class MeasureNodeControl {
    private static final Duration INTERVAL = Duration.ofSeconds(3);
    private static final double LAMBDA = 300;

    private MeasureNodeControl() {}

    /** Usage: {@code MeasureNodeControl FILE CONTENDER DIRECTORY PAIRS SECONDS MEBIBYTES TABLE [TABLE WITH FUTEX CALLS]}. */
    public static void main(String[] args) throws IOException {
        Path file = Path.of(args[0]);
        ResultFile published = ResultFile.open(file, "node-control", "bin/measure-node-control");
        Results results = published.results();
        int pairs = Integer.parseInt(args[3]);
        CoreSet cores = CoreSet.parse(new ProcFiles(Path.of("/proc"), Path.of("/sys")).allowedCores());
        measureAccuracy(results.under("accuracy"), Path.of(args[6]), args.length > 7 ? args[7] : "");
        try (Bed bed = new Bed(Path.of(args[2]), INTERVAL)) {
            new DiskPart(bed, Integer.parseInt(args[5]), INTERVAL, cores).measure(pairs, results);
            Duration window = Duration.ofSeconds(Long.parseLong(args[4]));
            new CorePart(bed, Path.of(args[1]), window, cores).measure(pairs, INTERVAL, results);
            results.put("window_s", window.toSeconds());
            results.put("cpu_fraction", bed.cpuFraction());
            results.put("changes", bed.changes());
            results.put("steps_back", bed.stepsBack());
        }
        published.write();
        System.out.println("harm " + published.figure("harm") + ", at most 0.02; cpu_fraction "
                + published.figure("cpu_fraction") + ", at most 0.001");
    }

    private static void measureAccuracy(Results results, Path table, String withFutex) throws IOException {
        FitControlClassifier.accuracies(FitControlClassifier.examples(CorunTable.read(table)))
                .forEach(results::put);
        String reason = "needs a table of bin/measure-corun --futex as second argument";
        if (withFutex.isEmpty()) {
            results.put("futex_not_measured", reason);
            return;
        }
        List<FitControlClassifier.Example> examples =
                FitControlClassifier.examples(CorunTable.read(Path.of(withFutex)));
        if (examples.stream()
                .noneMatch(one -> one.window().amount(Quantity.FUTEX_CALLS).isPresent())) {
            throw new IOException(withFutex + " has no futex calls; " + reason);
        }
        results.put("futex", FitControlClassifier.accuracy(examples, new FutexClassifier(LAMBDA, INTERVAL)));
        results.put("futex_lambda", LAMBDA);
    }
}
