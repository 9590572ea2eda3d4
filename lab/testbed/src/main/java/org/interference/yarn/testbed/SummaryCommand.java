package org.interference.yarn.testbed;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.interference.yarn.demo.Progress;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.sim.report.EvaluationFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The results of all mixes as one file, and on the screen. */
@Command(name = "summary", description = "Compares the policies by the results so far.")
final class SummaryCommand implements Callable<Integer> {
    @Option(names = "--results", required = true, description = "Has a folder for each mix.")
    private Path results;

    @Option(
            names = "--trainings",
            description = "That repetitions begin with in turn; with more than one, intervals are of their means.")
    private int trainings = 1;

    @Mixin
    private Provenance provenance;

    @Option(
            names = "--evaluation",
            description = "The file of all proofs; the mixes here replace theirs in its section testbed.")
    private Optional<Path> evaluation = Optional.empty();

    private final Progress progress;

    SummaryCommand(Progress progress) {
        this.progress = progress;
    }

    @Override
    public Integer call() throws IOException {
        Map<Mix, MixComparison> comparisons = new EnumMap<>(Mix.class);
        for (Mix mix : Mix.values()) {
            List<RunResult> runs = new ResultFiles(results.resolve(mix.toString())).read();
            if (!runs.isEmpty()) {
                comparisons.put(mix, new MixComparison(runs, trainings));
                Files.writeString(results.resolve(mix.toString()).resolve("usage.svg"), UsageChart.of(mix, runs));
            }
        }
        Summary summary = new Summary();
        ObjectNode document = summary.of(comparisons);
        for (Mix mix : comparisons.keySet()) {
            ((ObjectNode) document.path("results").path("testbed").path(mix.toString()))
                    .put("runs_not_made", notMade(results.resolve(mix.toString())));
        }
        provenance.into(document, "testbed");
        Path file = results.resolve("summary.json");
        Files.writeString(file, summary.text(document));
        comparisons.forEach(this::print);
        if (evaluation.isPresent()) {
            ObjectNode testbed = (ObjectNode) document.path("results").path("testbed");
            EvaluationFile.putParts(evaluation.get(), "testbed", testbed, provenance.made());
        }
        progress.plain("All of it: " + file);
        return 0;
    }

    /** Returns how often a run ended without a result, as of a ResourceManager that does not answer: it is made again, and must not be forgotten. */
    private static long notMade(Path folder) throws IOException {
        Path file = folder.resolve("not-made.tsv");
        return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    }

    private void print(Mix mix, MixComparison comparison) {
        progress.plain(
                "%n%s: %d runs, of which %d in a quiet box".formatted(mix, comparison.runs(), comparison.quietRuns()));
        for (String policy : comparison.policies()) {
            Interval makespan = comparison.mean(policy, RunFigures::makespan);
            String against =
                    policy.equals("fair") || comparison.pairs(policy, "fair").isEmpty()
                            ? ""
                            : gain(comparison.reduction(policy, "fair", RunFigures::makespan));
            progress.plain(String.format(Locale.ROOT, "  %-10s makespan %.1f s%s", policy, makespan.mean(), against));
        }
    }

    private static String gain(Interval gain) {
        return String.format(
                Locale.ROOT,
                ", %.1f %% less than fair [%.1f, %.1f]",
                100 * gain.mean(),
                100 * gain.low(),
                100 * gain.high());
    }
}
