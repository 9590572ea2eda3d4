package org.interference.yarn.benchmarks.prediction;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.interference.yarn.lab.stats.Quantiles;
import org.interference.yarn.learn.Label;
import org.interference.yarn.learn.UndisturbedRates;
import org.interference.yarn.signal.Signal;

/**
 * How wrong the scheduler's own idea of a slowdown is where it cannot see the work: the mean absolute difference of its logarithm from
 * that of the work rates.
 */
final class LabelPart {
    private static final long SEED = 11;
    /** Of the time that a task waits at least this is left. */
    private static final double LEAST_GOING = 0.02;

    private LabelPart() {}

    static void measure(CorunTable table, ObjectNode results) {
        Map<String, List<CorunTable.Row>> alone = table.rows().stream()
                .filter(CorunTable.Row::alone)
                .collect(Collectors.groupingBy(CorunTable.Row::kind));
        List<CorunTable.Row> disturbed = new ArrayList<>(
                table.rows().stream().filter(row -> !row.alone()).toList());
        Collections.shuffle(disturbed, new Random(SEED));
        ObjectNode json = results.putObject("label_error");
        put(json, "cpu_time", table, disturbed, row -> median(alone.get(row.kind()), Signal.CPU) / cpu(row));
        UndisturbedRates never = neverAlone(table, disturbed);
        put(
                json,
                "cpu_time_never_alone",
                table,
                disturbed,
                row -> never.of(row.kind()).orElseThrow() / cpu(row));
        List<CorunTable.Row> ordered = new ArrayList<>(disturbed);
        alone.values().forEach(rows -> ordered.addAll(0, rows));
        ProductLabels labels = new ProductLabels();
        ordered.forEach(labels::next);
        put(json, "own", table, disturbed, row -> slowdown(labels, row));
        ProductLabels neverAlone = new ProductLabels();
        disturbed.forEach(neverAlone::next);
        put(json, "own_never_alone", table, disturbed, row -> slowdown(neverAlone, row));
        put(
                json,
                "waiting",
                table,
                disturbed,
                row -> going(alone.get(row.kind()), Signal.CPUWAIT, row)
                        * going(alone.get(row.kind()), Signal.BLKWAIT, row));
    }

    /** Returns what is known of the kinds from the runs with neighbours. */
    private static UndisturbedRates neverAlone(CorunTable table, List<CorunTable.Row> disturbed) {
        UndisturbedRates known = new UndisturbedRates(table.kinds().size());
        disturbed.forEach(row -> known.addDisturbed(row.kind(), cpu(row)));
        return known;
    }

    /** Returns not a number if it has no label. */
    private static double slowdown(ProductLabels labels, CorunTable.Row row) {
        return labels.next(row).map(Label::slowdown).orElse(Double.NaN);
    }

    private static double cpu(CorunTable.Row row) {
        return row.levels().level(Signal.CPU).orElseThrow();
    }

    /** Returns the share of time in which such a task gets on alone over that in {@code row}, as one kind of waiting shows it. */
    private static double going(List<CorunTable.Row> alone, Signal wait, CorunTable.Row row) {
        double now = row.levels().levelOr(wait, 0);
        return Math.max(LEAST_GOING, 1 - median(alone, wait)) / Math.max(LEAST_GOING, 1 - now);
    }

    private static double median(List<CorunTable.Row> rows, Signal signal) {
        return Quantiles.median(
                rows.stream().map(row -> row.levels().levelOr(signal, 0)).toList());
    }

    private static void put(
            ObjectNode json,
            String name,
            CorunTable table,
            List<CorunTable.Row> rows,
            ToDoubleFunction<CorunTable.Row> label) {
        PredictionFigures.put(
                json,
                name,
                rows.stream()
                        .filter(row -> cpu(row) > 0)
                        .mapToDouble(row -> Math.abs(Math.log(label.applyAsDouble(row) / table.slowdown(row))))
                        .filter(error -> !Double.isNaN(error))
                        .average()
                        .orElseThrow());
    }
}
