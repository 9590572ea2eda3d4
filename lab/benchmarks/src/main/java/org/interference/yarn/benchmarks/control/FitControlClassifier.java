package org.interference.yarn.benchmarks.control;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import org.interference.yarn.benchmarks.prediction.CorunTable;
import org.interference.yarn.nm.control.BlockedClassifier;
import org.interference.yarn.nm.control.Classifier;
import org.interference.yarn.nm.control.LearnedClassifier;
import org.interference.yarn.nm.control.Usage;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;
import org.interference.yarn.signal.WorkClass;

/**
 * Derives the weights of {@link LearnedClassifier} from the measured co-runs: logistic regression with a ridge of 1 on all weights but
 * the first, by Newton's method. A kind is I/O-intensive whose unit of work is a transfer alone.
 */
public final class FitControlClassifier {
    /** By what a unit of their work is: the table of {@code machine.json}. */
    static final Set<String> IO_INTENSIVE =
            Set.of("disk-sequential", "disk-random", "disk-write", "network-stream", "network-request");

    private static final int CPUS = 2;
    private static final double RIDGE = 1;
    private static final int STEPS = 30;
    private static final double MOST_ODDS = 30;
    private static final double WINDOW_SECONDS = 4;

    /** One task in one run. */
    record Example(String kind, boolean inputOutput, Usage window) {}

    private FitControlClassifier() {}

    /** Usage: {@code FitControlClassifier TABLE}; prints the weights and how often each way of telling is right. */
    public static void main(String[] args) throws IOException {
        List<Example> examples = examples(CorunTable.read(Path.of(args[0])));
        System.out.println("weights " + weights(examples));
        accuracies(examples).forEach((name, accuracy) -> System.out.printf(Locale.ROOT, "%s %.3f%n", name, accuracy));
    }

    static List<Example> examples(CorunTable table) {
        List<Example> examples = new ArrayList<>();
        for (CorunTable.Row row : table.rows()) {
            Map<Signal, Reading> readings = new EnumMap<>(Signal.class);
            row.levels()
                    .levels()
                    .forEach((signal, level) ->
                            readings.put(signal, new Reading.Measured(level, level, level, false, "corun")));
            Duration observed = Duration.ofSeconds((long) WINDOW_SECONDS);
            OptionalDouble cpu = row.levels().level(Signal.CPU);
            Usage window = Usage.of(
                    new ContainerReport("task", observed, false, readings),
                    cpu.isPresent() ? OptionalDouble.of(cpu.getAsDouble() * CPUS * WINDOW_SECONDS) : cpu);
            examples.add(new Example(row.kind(), IO_INTENSIVE.contains(row.kind()), window));
        }
        return examples;
    }

    /** Returns how often each classifier is right; the learned one about kinds that it has not seen. */
    static Map<String, Double> accuracies(List<Example> examples) {
        return Map.of(
                "blocked_io", accuracy(examples, new BlockedClassifier(0.5)),
                "learned", accuracyOnUnseenKinds(examples),
                "learned_seen_kinds", accuracy(examples, LearnedClassifier.INSTANCE));
    }

    static double accuracy(List<Example> examples, Classifier classifier) {
        return share(examples, example -> {
            WorkClass found = classifier.classify(example.window()).workClass();
            return found == (example.inputOutput() ? WorkClass.IO_INTENSIVE : WorkClass.CPU_INTENSIVE);
        });
    }

    private static double accuracyOnUnseenKinds(List<Example> examples) {
        double right = 0;
        for (String kind : examples.stream().map(Example::kind).distinct().toList()) {
            List<Example> asked = examples.stream()
                    .filter(example -> example.kind().equals(kind))
                    .toList();
            List<Double> weights = weights(examples.stream()
                    .filter(example -> !example.kind().equals(kind))
                    .toList());
            right += asked.size()
                    * share(
                            asked,
                            example -> LearnedClassifier.logOdds(weights, LearnedClassifier.features(example.window()))
                                            >= 0
                                    == example.inputOutput());
        }
        return right / examples.size();
    }

    private static double share(List<Example> examples, Predicate<Example> right) {
        double count = examples.stream().filter(right).count();
        return count / examples.size();
    }

    static List<Double> weights(List<Example> examples) {
        int size = LearnedClassifier.weights().size();
        List<Double> weights = new ArrayList<>(Collections.nCopies(size, 0.0));
        for (int step = 0; step < STEPS; step++) {
            double[][] system = new double[size][size + 1];
            for (int i = 0; i < size; i++) {
                system[i][i] = i > 0 ? RIDGE : 0;
                system[i][size] = i > 0 ? -RIDGE * weights.get(i) : 0;
            }
            for (Example example : examples) {
                add(example, weights, system);
            }
            double[] change = solved(system);
            for (int i = 0; i < size; i++) {
                weights.set(i, weights.get(i) + change[i]);
            }
        }
        return weights;
    }

    private static void add(Example example, List<Double> weights, double[][] system) {
        List<Double> features = LearnedClassifier.features(example.window());
        double odds = LearnedClassifier.logOdds(weights, features);
        double probability = 1 / (1 + Math.exp(-Math.max(-MOST_ODDS, Math.min(MOST_ODDS, odds))));
        double error = (example.inputOutput() ? 1 : 0) - probability;
        for (int i = 0; i < system.length; i++) {
            system[i][system.length] += error * features.get(i);
            for (int k = 0; k < system.length; k++) {
                system[i][k] += probability * (1 - probability) * features.get(i) * features.get(k);
            }
        }
    }

    /** Gauss-Jordan with pivots; the last column is the right side. */
    private static double[] solved(double[][] system) {
        int size = system.length;
        for (int i = 0; i < size; i++) {
            int pivot = i;
            for (int row = i + 1; row < size; row++) {
                pivot = Math.abs(system[row][i]) > Math.abs(system[pivot][i]) ? row : pivot;
            }
            double[] swapped = system[i];
            system[i] = system[pivot];
            system[pivot] = swapped;
            for (int row = 0; row < size; row++) {
                double factor = row == i ? 0 : system[row][i] / system[i][i];
                for (int column = i; column <= size && factor != 0; column++) {
                    system[row][column] -= factor * system[i][column];
                }
            }
        }
        double[] solution = new double[size];
        for (int i = 0; i < size; i++) {
            solution[i] = system[i][size] / system[i][i];
        }
        return solution;
    }
}
