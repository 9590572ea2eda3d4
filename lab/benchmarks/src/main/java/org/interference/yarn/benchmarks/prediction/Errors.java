package org.interference.yarn.benchmarks.prediction;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.interference.yarn.lab.stats.Quantiles;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.Prediction;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.signal.InterferenceVector;

/** Absolute errors of slowdowns as shares of what was measured, each with the kind it was about. Not thread-safe. */
final class Errors {
    private final List<Double> errors = new ArrayList<>();
    private final Map<String, List<Double>> byKind = new TreeMap<>();
    private int refused;

    /** What a predictor said, or the prior where it would not. */
    record Answer(double slowdown, boolean refused) {}

    static Answer answer(SlowdownPredictor predictor, String kind, InterferenceVector task, Neighbours neighbours) {
        if (predictor.of(kind).predict(task, neighbours) instanceof Prediction.Slowdown known) {
            return new Answer(known.factor(), false);
        }
        return new PriorPredictor().predict(task, neighbours) instanceof Prediction.Slowdown known
                ? new Answer(known.factor(), true)
                : new Answer(1, true);
    }

    void add(String kind, Answer answer, double measured) {
        add(kind, Math.abs(answer.slowdown() - measured) / measured);
        refused += answer.refused() ? 1 : 0;
    }

    void add(String kind, double error) {
        errors.add(error);
        byKind.computeIfAbsent(kind, key -> new ArrayList<>()).add(error);
    }

    double mean() {
        return mean(errors);
    }

    double median() {
        return Quantiles.median(errors);
    }

    int count() {
        return errors.size();
    }

    double refusedShare() {
        return (double) refused / errors.size();
    }

    Map<String, Double> meanByKind() {
        return byKind.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> mean(entry.getValue()), (a, b) -> a, TreeMap::new));
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
    }
}
