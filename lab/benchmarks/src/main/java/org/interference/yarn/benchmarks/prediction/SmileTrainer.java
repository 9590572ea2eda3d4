package org.interference.yarn.benchmarks.prediction;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.interference.yarn.predict.BoostedModel;
import org.interference.yarn.predict.BoostedTrainer;
import org.interference.yarn.predict.Domain;
import org.interference.yarn.predict.Example;
import org.interference.yarn.predict.Model;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.predict.Trainer;
import smile.data.Attribute;
import smile.data.NumericAttribute;
import smile.regression.GradientTreeBoost;
import smile.regression.RandomForest;
import smile.regression.Regression;
import smile.regression.RidgeRegression;

/**
 * Smile's regressions, trained on what ours is trained on: its inputs, and the logarithm of the slowdown over what ours begins with. They take no weights, and keep
 * no promise for whole trees that one more neighbour never helps, so that none of these could be installed as it is; they say whether ours is worth its lines.
 */
enum SmileTrainer implements Trainer {
    BOOSTED {
        @Override
        Regression<double[]> fit(double[][] inputs, double[] targets, double[] rising) {
            return new GradientTreeBoost(
                    inputs, targets, GradientTreeBoost.Loss.LeastSquares, TREES, LEAVES, RATE, SAMPLED);
        }
    },
    FOREST {
        @Override
        Regression<double[]> fit(double[][] inputs, double[] targets, double[] rising) {
            return new RandomForest(inputs, targets, TREES);
        }
    },
    /** Its splits are monotone in all that the neighbours bring; its trees are not, as what is below a split may cross its middle. */
    MONOTONE {
        @Override
        Regression<double[]> fit(double[][] inputs, double[] targets, double[] rising) {
            Attribute[] columns = IntStream.range(0, rising.length)
                    .mapToObj(i -> new NumericAttribute("input-" + i))
                    .toArray(Attribute[]::new);
            int tried = Math.max(1, rising.length / 3);
            return new RandomForest(columns, inputs, targets, TREES, FOREST_LEAVES, LEAST_IN_LEAF, tried, 1, rising);
        }
    },
    RIDGE {
        @Override
        Regression<double[]> fit(double[][] inputs, double[] targets, double[] rising) {
            return new RidgeRegression(inputs, targets, PENALTY);
        }
    };

    /** As ours: 150 trees of depth 4, a rate of 0.1. */
    private static final int TREES = 150;

    private static final int LEAVES = 16;
    /** What its forest has if it is told nothing else. */
    private static final int FOREST_LEAVES = 100;

    private static final int LEAST_IN_LEAF = 5;
    private static final double RATE = 0.1;
    private static final double SAMPLED = 0.7;
    private static final double PENALTY = 1;
    /** Of so many examples one is repeated as the same task alone, not slowed down: ours gives each an example of 0.15 of the weight. */
    private static final int EXAMPLES_OF_WHICH_ONE_IS_ALONE = 7;

    abstract Regression<double[]> fit(double[][] inputs, double[] targets, double[] rising);

    @Override
    public Model train(List<Example> examples) {
        Domain domain = Domain.of(examples);
        List<Example> known = examples.stream()
                .map(example -> example.in(domain.known(example.situation())))
                .toList();
        List<Situation> situations = known.stream().map(Example::situation).toList();
        BoostedModel.Base base = BoostedTrainer.base(PriorPredictor.PUBLISHED, known);
        int alone = examples.size() / EXAMPLES_OF_WHICH_ONE_IS_ALONE;
        double[][] inputs = new double[examples.size() + alone][];
        double[] targets = new double[inputs.length];
        for (int i = 0; i < examples.size(); i++) {
            inputs[i] = inputs(situations.get(i));
            targets[i] = examples.get(i).logSlowdown() - base.logSlowdown(PriorPredictor.PUBLISHED, situations.get(i));
        }
        for (int i = 0; i < alone; i++) {
            inputs[examples.size() + i] =
                    inputs(situations.get(i * EXAMPLES_OF_WHICH_ONE_IS_ALONE).alone());
        }
        int[] used = varying(inputs);
        Regression<double[]> fitted =
                fit(Arrays.stream(inputs).map(row -> only(row, used)).toArray(double[][]::new), targets, rising(used));
        return situation ->
                base.logSlowdown(PriorPredictor.PUBLISHED, situation) + fitted.predict(only(inputs(situation), used));
    }

    /** Returns 1 for each column of which more never lowers the answer, as Smile asks for it; 0 for the others. */
    private static double[] rising(int[] columns) {
        return Arrays.stream(columns)
                .mapToDouble(column -> BoostedModel.isMonotone(column) ? 1 : 0)
                .toArray();
    }

    /** Smile takes no figure that is absent. */
    private static double[] inputs(Situation situation) {
        return DoubleStream.of(BoostedModel.inputs(situation))
                .map(input -> Double.isNaN(input) ? 0 : input)
                .toArray();
    }

    /** Returns the columns that are not the same in all rows: a matrix with others has no inverse. */
    private static int[] varying(double[][] inputs) {
        return IntStream.range(0, inputs[0].length)
                .filter(column -> Arrays.stream(inputs)
                                .map(row -> row[column])
                                .max(Comparator.naturalOrder())
                                .orElseThrow()
                        > Arrays.stream(inputs)
                                .map(row -> row[column])
                                .min(Comparator.naturalOrder())
                                .orElseThrow())
                .toArray();
    }

    private static double[] only(double[] row, int[] columns) {
        return Arrays.stream(columns).mapToDouble(column -> row[column]).toArray();
    }
}
