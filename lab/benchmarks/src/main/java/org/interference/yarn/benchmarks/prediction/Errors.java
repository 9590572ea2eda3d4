package org.interference.yarn.benchmarks.prediction;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
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
    private int inside;
    private int told;

    /**
     * What a predictor said, or the prior where it would not.
     *
     * @param spread half the width of its 90 % interval in logarithms; empty if it has none
     */
    record Answer(double slowdown, boolean refused, OptionalDouble spread) {}

    static Answer answer(SlowdownPredictor predictor, String kind, InterferenceVector task, Neighbours neighbours) {
        if (predictor.of(kind).predict(task, neighbours) instanceof Prediction.Slowdown known) {
            return new Answer(known.factor(), false, predictor.of(kind).spread());
        }
        return new PriorPredictor().predict(task, neighbours) instanceof Prediction.Slowdown known
                ? new Answer(known.factor(), true, OptionalDouble.empty())
                : new Answer(1, true, OptionalDouble.empty());
    }

    void add(String kind, Answer answer, double measured) {
        add(kind, Math.abs(answer.slowdown() - measured) / measured);
        refused += answer.refused() ? 1 : 0;
        if (answer.spread().isPresent()) {
            told++;
            inside += Math.abs(Math.log(answer.slowdown() / measured))
                            <= answer.spread().getAsDouble()
                    ? 1
                    : 0;
        }
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

    /** Returns what share of what was measured is within the intervals that were told; empty if none was. */
    OptionalDouble cover() {
        return told == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) inside / told);
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
