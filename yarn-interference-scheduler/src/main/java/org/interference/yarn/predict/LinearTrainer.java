package org.interference.yarn.predict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.interference.yarn.signal.Signal;

/**
 * Fits a {@link LinearModel}: ridge regression of the logarithm of the slowdown with coefficients {@code >= 0}, because more
 * neighbours never help, by coordinate descent on the normal equations. Of a few capacities for each signal it takes the
 * one that leaves the least error.
 */
public final class LinearTrainer implements Trainer {
    /** The name of its models. */
    public static final String NAME = "linear";

    /** Penalty on a squared coefficient of a term of unit mean square, as a share of the examples' weight. */
    private static final double RIDGE = 1e-3;

    private static final int SWEEPS = 200;
    private static final double CONVERGED = 1e-9;
    /** Capacities that are tried, as multiples of the highest own level that was seen. */
    private static final double[] CAPACITIES = {0.5, 0.7, 0.85, 1, 1.2, 1.5, 2, 3};

    private static final int ROUNDS = 2;
    /** Capacities are chosen on every n-th example so that about so many are left. */
    private static final int EXAMPLES_TO_CHOOSE_BY = 1500;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public LinearModel train(List<Example> examples) {
        double[] highest = highestOwn(examples);
        List<Example> few = thinned(examples);
        double[] capacities = highest.clone();
        double best = fit(few, capacities).error();
        for (int round = 0; round < ROUNDS; round++) {
            for (int signal = 0; signal < highest.length; signal++) {
                if (highest[signal] == 0) {
                    continue;
                }
                double[] tried = capacities.clone();
                for (double multiple : CAPACITIES) {
                    tried[signal] = multiple * highest[signal];
                    double error = fit(few, tried).error();
                    if (error < best) {
                        best = error;
                        capacities[signal] = tried[signal];
                    }
                }
            }
        }
        return LinearModel.of(capacities, fit(examples, capacities).coefficients());
    }

    /** Returns the highest own level of each signal that has a capacity and that the examples have; else 0. */
    private static double[] highestOwn(List<Example> examples) {
        Domain domain = Domain.of(examples);
        double[] highest = new double[Situation.OWN];
        for (Signal signal : Signal.predictors()) {
            int index = Situation.place(signal);
            boolean queues = signal.combination() == Signal.Combination.SUM && !signal.isRate();
            if (queues && domain.has(index)) {
                for (Example example : examples) {
                    // What is not a number is not higher.
                    double own = example.situation().figure(index);
                    highest[index] = own > highest[index] ? own : highest[index];
                }
            }
        }
        return highest;
    }

    private static List<Example> thinned(List<Example> examples) {
        int step = Math.max(1, examples.size() / EXAMPLES_TO_CHOOSE_BY);
        List<Example> few = new ArrayList<>();
        for (int i = 0; i < examples.size(); i += step) {
            few.add(examples.get(i));
        }
        return few;
    }

    /** @param error half the weighted sum of squares plus the penalty, less a constant */
    private record Fit(Coefficients solved, double error) {
        double[] coefficients() {
            return solved.values();
        }
    }

    private static Fit fit(List<Example> examples, double[] capacities) {
        double[][] gram = new double[LinearModel.TERMS][LinearModel.TERMS];
        double[] target = new double[LinearModel.TERMS];
        double[] terms = new double[LinearModel.TERMS];
        double weights = 0;
        for (Example example : examples) {
            LinearModel.terms(example.situation(), capacities, terms);
            double log = example.logSlowdown();
            weights += example.weight();
            for (int i = 0; i < terms.length; i++) {
                if (terms[i] == 0) {
                    continue;
                }
                double weighted = example.weight() * terms[i];
                target[i] += weighted * log;
                for (int j = 0; j <= i; j++) {
                    gram[i][j] += weighted * terms[j];
                }
            }
        }
        for (int i = 0; i < terms.length; i++) {
            for (int j = 0; j < i; j++) {
                gram[j][i] = gram[i][j];
            }
            // In units of the term's own mean square, so that no scale is preferred.
            gram[i][i] *= 1 + RIDGE;
        }
        Coefficients solved = Coefficients.solve(gram, target, CONVERGED * weights, SWEEPS);
        return new Fit(solved, solved.objective(gram, target));
    }

    /** The solution of {@code min 1/2 b'Gb - t'b} with every {@code b >= 0}. */
    private static final class Coefficients {
        private final double[] values;

        private Coefficients(double[] values) {
            this.values = values;
        }

        static Coefficients solve(double[][] gram, double[] target, double converged, int sweeps) {
            double[] solution = new double[target.length];
            // Of the objective's derivative, kept up to date.
            double[] gradient = Arrays.stream(target).map(each -> -each).toArray();
            for (int sweep = 0; sweep < sweeps; sweep++) {
                double improved = 0;
                for (int i = 0; i < solution.length; i++) {
                    if (gram[i][i] == 0) {
                        continue;
                    }
                    double next = Math.max(0, solution[i] - gradient[i] / gram[i][i]);
                    double step = next - solution[i];
                    if (step != 0) {
                        improved = Math.max(improved, step * step * gram[i][i]);
                        solution[i] = next;
                        for (int j = 0; j < solution.length; j++) {
                            gradient[j] += step * gram[j][i];
                        }
                    }
                }
                if (improved <= converged) {
                    break;
                }
            }
            return new Coefficients(solution);
        }

        double objective(double[][] gram, double[] target) {
            double sum = 0;
            for (int i = 0; i < values.length; i++) {
                double row = 0;
                for (int j = 0; j < values.length; j++) {
                    row += gram[i][j] * values[j];
                }
                sum += values[i] * (row / 2 - target[i]);
            }
            return sum;
        }

        double[] values() {
            return values;
        }
    }
}
