package org.interference.yarn.sim.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.interference.yarn.lab.stats.Interval;

/** Comparisons as programs read them: {@code name, command, machine, date, results.<comparison>.<regime>.<figure>}. Pure. */
final class QualityJson {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double PER_CENT = 100;
    private static final String NOTE =
            "gain: per cent less than the other's, so that positive is better; gap: per cent more than the greedy clairvoyant's; low, high: 95 %"
                    + " interval, paired by seed; worst: of one seed; captured_fraction: of what the greedy clairvoyant gains over the placebo,"
                    + " null where that is not clearly something, interval by the jackknife";

    private QualityJson() {}

    /** One metric of four policies; every list is in the order of the seeds. */
    private record Paired(List<Double> parent, List<Double> placebo, List<Double> ours, List<Double> greedy) {
        int seeds() {
            return ours.size();
        }
    }

    /** Returns the file, of the seeds whose runs are complete; a regime with fewer than two of them is left out. */
    static String of(List<Comparison> comparisons, Runs runs, String command, String machine, LocalDate date) {
        ObjectNode root = JSON.createObjectNode()
                .put("name", "scheduler-quality")
                .put("command", command)
                .put("machine", machine)
                .put("date", date.toString())
                .put("note", NOTE);
        ObjectNode results = root.putObject("results");
        for (Comparison comparison : comparisons) {
            ObjectNode regimes = JSON.createObjectNode();
            for (String regime : Comparison.REGIMES) {
                List<Long> seeds = runs.covered(comparison.plan(), comparison.world(regime));
                if (seeds.size() > 1) {
                    write(regimes.putObject(regime), comparison.withSeeds(seeds), runs, regime);
                    results.set(comparison.key(), regimes);
                }
            }
        }
        return root.toPrettyString() + "\n";
    }

    private static void write(ObjectNode figures, Comparison comparison, Runs runs, String regime) {
        Paired makespan = paired(comparison, runs, regime, RunMetrics::makespan);
        Paired slowdown = paired(comparison, runs, regime, RunMetrics::slowdownMean);
        add(figures, "makespan", makespan);
        add(figures, "slowdown", slowdown);
        ObjectNode captured = figures.putObject("captured_fraction");
        captured.set("makespan", captured(makespan));
        captured.set("slowdown", captured(slowdown));
    }

    private static Paired paired(Comparison comparison, Runs runs, String regime, ToDoubleFunction<RunMetrics> metric) {
        Comparison.Roles roles = comparison.roles();
        List<List<Double>> values = roles.inOrder().stream()
                .map(policy -> runs
                        .cell(comparison.plan(), comparison.world(regime).name(), policy)
                        .stream()
                        .map(metric::applyAsDouble)
                        .toList())
                .toList();
        return new Paired(values.get(0), values.get(1), values.get(2), values.get(3));
    }

    private static void add(ObjectNode figures, String metric, Paired paired) {
        figures.set(metric + "_gain_vs_parent", gain(paired.ours(), paired.parent()));
        figures.set(metric + "_gain_vs_placebo", gain(paired.ours(), paired.placebo()));
        double[] gaps = negated(gains(paired.ours(), paired.greedy()));
        figures.set(
                metric + "_gap_to_clairvoyant",
                node(Interval.of(gaps), gaps.length)
                        .put(
                                "worst",
                                ReportFigures.rounded(Arrays.stream(gaps).max().orElseThrow())));
    }

    private static ObjectNode gain(List<Double> own, List<Double> other) {
        double[] gains = gains(own, other);
        return node(Interval.of(gains), gains.length)
                .put("worst", ReportFigures.rounded(Arrays.stream(gains).min().orElseThrow()));
    }

    /** Returns by how many per cent of the other's each is less. */
    private static double[] gains(List<Double> own, List<Double> other) {
        return IntStream.range(0, own.size())
                .mapToDouble(seed -> PER_CENT * (other.get(seed) - own.get(seed)) / other.get(seed))
                .toArray();
    }

    private static double[] negated(double[] values) {
        return DoubleStream.of(values).map(value -> -value).toArray();
    }

    private static ObjectNode captured(Paired paired) {
        return CapturedFraction.of(doubles(paired.placebo()), doubles(paired.ours()), doubles(paired.greedy()))
                .map(fraction -> node(fraction, paired.seeds()))
                .orElseGet(() -> JSON.createObjectNode().putNull("mean").put("seeds", paired.seeds()));
    }

    private static double[] doubles(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static ObjectNode node(Interval interval, int seeds) {
        return ReportFigures.of(interval).put("seeds", seeds);
    }
}
