package org.interference.yarn.testbed;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.interference.yarn.demo.Progress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** How exactly a mix's comparison is known: half the width of the 95 % interval of a paired difference of makespans. */
@Command(
        name = "precision",
        description =
                "Prints, in per cent of the second policy's makespan, how wide half the interval of the difference is.")
final class PrecisionCommand implements Callable<Integer> {
    /** Two repetitions have an interval, but one that says nothing. */
    private static final int LEAST_PAIRS = 3;

    @Option(names = "--results", required = true)
    private Path results;

    @Option(names = "--policies", required = true, split = ",", arity = "1")
    private List<String> policies;

    @Option(
            names = "--trainings",
            description = "That repetitions begin with in turn; with more than one, intervals are of their means.")
    private int trainings = 1;

    private final Progress progress;

    PrecisionCommand(Progress progress) {
        this.progress = progress;
    }

    @Override
    public Integer call() throws IOException {
        MixComparison comparison = new MixComparison(new ResultFiles(results).read(), trainings);
        String policy = policies.get(0);
        String other = policies.get(1);
        double percent = comparison.pairs(policy, other).size() < LEAST_PAIRS
                ? Double.POSITIVE_INFINITY
                : 100
                        * comparison
                                .reduction(policy, other, RunFigures::makespan)
                                .halfWidth();
        progress.plain(String.format(Locale.ROOT, "%.2f", Math.min(percent, 999)));
        return 0;
    }
}
