package org.interference.yarn.benchmarks.prediction;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.interference.yarn.lab.stats.Quantiles;
import org.interference.yarn.learn.Observation;
import org.interference.yarn.learn.OnlineAdaptiveModule;
import org.interference.yarn.predict.ComposedPredictor;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.signal.InterferenceVector;

/** Errors of each contestant on each split, and the errors that are the measurement's own. */
final class AccuracyPart {
    private AccuracyPart() {}

    static void measure(CorunTable table, ObjectNode results) {
        noise(table, results);
        for (Contestant contestant : Contestant.values()) {
            ObjectNode json = results.withObject("/" + lowerCase(contestant));
            for (Split split : Split.values()) {
                Errors errors = errors(table, contestant, split);
                String name = lowerCase(split);
                PredictionFigures.put(json, name, errors.mean());
                PredictionFigures.put(json, name + "_median", errors.median());
                PredictionFigures.put(json, name + "_refused", errors.refusedShare());
                json.put(name + "_asked", errors.count());
                errors.cover().ifPresent(cover -> PredictionFigures.put(json, name + "_coverage_90", cover));
                ObjectNode byKind = json.putObject(name + "_by_kind");
                errors.meanByKind().forEach((kind, error) -> PredictionFigures.put(byKind, kind, error));
            }
        }
        coverage(table, results);
    }

    /** Of intervals as they are told from one observation to the next, in the order in which those were measured. */
    private static void coverage(CorunTable table, ObjectNode results) {
        Map<String, InterferenceVector> profiles = table.profiles(repetition -> true);
        coverage(results, Contestant.COMPOSED, Contestant.asObserved(table.rows(), profiles));
        coverage(results, Contestant.EXACT, Contestant.observations(table, table.rows(), profiles));
    }

    private static void coverage(ObjectNode results, Contestant contestant, List<Observation> observations) {
        OnlineAdaptiveModule module = Contestant.module(new ComposedPredictor());
        Contestant.feed(module, observations);
        PredictionFigures.put(
                results.withObject("/" + lowerCase(contestant)),
                "coverage_90",
                module.report().cover().orElseThrow());
    }

    private static Errors errors(CorunTable table, Contestant contestant, Split split) {
        Errors errors = new Errors();
        for (Split.Fold fold : split.folds(table)) {
            SlowdownPredictor predictor = contestant.trained(table, fold.training(), fold.profiles());
            for (CorunTable.Row row : fold.asked()) {
                errors.add(
                        row.kind(),
                        Errors.answer(
                                predictor,
                                row.kind(),
                                fold.profiles().get(row.kind()),
                                Contestant.neighbours(row.others(), fold.profiles())),
                        table.slowdown(row));
            }
        }
        return errors;
    }

    /**
     * The spread of the repetitions: how far one is from the median of all, and from the median of the others, which is what
     * somebody who remembers every pair would answer.
     */
    private static void noise(CorunTable table, ObjectNode results) {
        Errors fromMedian = new Errors();
        Errors fromOthers = new Errors();
        Errors alone = new Errors();
        Map<String, Double> medians = table.slowdowns(repetition -> true);
        Map<String, List<CorunTable.Row>> questions = table.rows().stream()
                .filter(row -> row.others().size() == 1)
                .collect(Collectors.groupingBy(CorunTable.Row::question));
        questions
                .values()
                .forEach(rows -> rows.forEach(row -> {
                    double measured = table.slowdown(row);
                    fromMedian.add(row.kind(), Math.abs(measured / medians.get(row.question()) - 1));
                    List<Double> others = rows.stream()
                            .filter(other -> other.repetition() != row.repetition())
                            .map(table::slowdown)
                            .toList();
                    if (!others.isEmpty()) {
                        fromOthers.add(row.kind(), Math.abs(Quantiles.median(others) - measured) / measured);
                    }
                }));
        table.rows().stream()
                .filter(CorunTable.Row::alone)
                .forEach(row -> alone.add(row.kind(), Math.abs(table.slowdown(row) - 1)));
        PredictionFigures.put(results, "noise_floor", fromMedian.mean());
        PredictionFigures.put(results.withObject("/memory"), "seen_pairs", fromOthers.mean());
        PredictionFigures.put(results, "noise_floor_alone", alone.mean());
        ObjectNode byKind = results.putObject("noise_floor_by_memory_by_kind");
        fromOthers.meanByKind().forEach((kind, error) -> PredictionFigures.put(byKind, kind, error));
    }

    static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
