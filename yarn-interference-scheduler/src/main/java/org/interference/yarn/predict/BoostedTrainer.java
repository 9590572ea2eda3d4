package org.interference.yarn.predict;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Fits a {@link BoostedModel}: gradient boosting of regression trees on the logarithm of the slowdown (Friedman, Annals of
 * Statistics 2001), squared loss, with histograms of the inputs. It begins with the prior and the fair share, to the powers that fit best, at most 1 each.
 *
 * <p>Beside each example stands the same task alone, not slowed down, for {@value #WEIGHT_ALONE} of its weight: on a busy cluster nobody
 * is ever seen alone, and the trees would take what every neighbour costs for a property of the task.
 *
 * <p>The trees are monotone in all that the neighbours bring: a split whose upper side would get the lower value is not made,
 * and the values below a split stay on their side of its middle (Chen and Guestrin, KDD 2016, as XGBoost's monotone
 * constraints). Written here because Smile 1.5.3's trees take no weights, keep no such promise as a whole, and can be stored by Java
 * serialisation alone (ADR-0012).
 */
public final class BoostedTrainer implements Trainer {
    /** The name of its models. */
    public static final String NAME = "boosted";

    private static final double WEIGHT_ALONE = 0.15;
    /** In squared logarithms: by a few examples neither is believed. */
    private static final double DRAW = 0.1;

    /** Of kinds, when it is asked whether trees carry over from one to another. */
    private static final int FOLDS = 3;

    private static final int LEAST_KINDS = 6;
    /** Examples that this is asked of: it takes as long as three trainings with two thirds of them. */
    private static final int MOST_COMPARED = 2000;

    private static final int ROUNDS = 20;
    private static final int TURNS = 50;
    /** In logarithms: smaller ones weigh alike. */
    private static final double LEAST_ERROR = 0.05;

    private final PriorPredictor corrected;
    private final Shape shape;

    /**
     * How the trees grow.
     *
     * @param trees how many
     * @param depth of each, in splits
     * @param rate by which the answer of each counts
     * @param penalty on a squared leaf value, in examples of weight 1
     */
    public record Shape(int trees, int depth, double rate, double penalty) {
        static final Shape DEFAULT = new Shape(150, 4, 0.1, 1);
    }

    /** @param corrected what its trees correct */
    public BoostedTrainer(PriorPredictor corrected) {
        this(corrected, Shape.DEFAULT);
    }

    public BoostedTrainer(PriorPredictor corrected, Shape shape) {
        this.corrected = corrected;
        this.shape = shape;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public BoostedModel train(List<Example> examples) {
        Domain domain = Domain.of(examples);
        List<Example> known = examples.stream()
                .map(example -> example.in(domain.known(example.situation())))
                .toList();
        BoostedModel.Base base = base(corrected, known);
        return new BoostedModel(corrected, base, grown(known, domain, base), carries(known, domain));
    }

    private Forest grown(List<Example> examples, Domain domain, BoostedModel.Base base) {
        List<Example> all = new ArrayList<>(examples);
        examples.forEach(
                example -> all.add(new Example(example.situation().alone(), 1, WEIGHT_ALONE * example.weight())));
        return new Growth(all, domain, corrected, base, shape).grow();
    }

    /**
     * Returns whether trees are nearer to what happened than what they begin with, of kinds that they were not grown with: of each third of the kinds after
     * growing with the other two. Of few kinds nobody can tell, and they are taken to be.
     */
    private boolean carries(List<Example> examples, Domain domain) {
        List<String> kinds =
                examples.stream().map(Example::kind).distinct().sorted().toList();
        if (kinds.size() < LEAST_KINDS) {
            return true;
        }
        Map<String, Integer> folds = new HashMap<>();
        kinds.forEach(kind -> folds.put(kind, folds.size() % FOLDS));
        int every = Math.max(1, examples.size() / MOST_COMPARED);
        List<Example> some = IntStream.range(0, examples.size())
                .filter(i -> i % every == 0)
                .mapToObj(examples::get)
                .toList();
        double better = 0;
        for (int fold = 0; fold < FOLDS; fold++) {
            int left = fold;
            Map<Boolean, List<Example>> split =
                    some.stream().collect(Collectors.partitioningBy(example -> folds.get(example.kind()) == left));
            BoostedModel.Base base = base(corrected, split.get(false));
            Forest forest = grown(split.get(false), domain, base);
            for (Example example : split.get(true)) {
                double begun = base.logSlowdown(corrected, example.situation());
                double said = Math.max(0, begun + forest.sum(BoostedModel.inputs(example.situation())));
                better += example.weight()
                        * (Math.abs(example.logSlowdown() - begun) - Math.abs(example.logSlowdown() - said));
            }
        }
        return better >= 0;
    }

    /**
     * Returns least absolute errors of {@code y = c p + d q}, with both from 0 to 1 and drawn towards 0: least squares, each time weighted by what the
     * last errors were (Schlossmacher, JASA 1973). A few tasks that fall off a cliff say nothing of what the others share.
     */
    public static BoostedModel.Base base(PriorPredictor corrected, List<Example> examples) {
        int count = examples.size();
        double[] priors = new double[count];
        double[] shares = new double[count];
        double[] weights = new double[count];
        for (int i = 0; i < count; i++) {
            priors[i] = BoostedModel.logPrior(corrected, examples.get(i).situation());
            shares[i] = FairShare.logSlowdown(examples.get(i).situation());
            weights[i] = examples.get(i).weight();
        }
        double prior = 0;
        double share = 0;
        for (int round = 0; round < ROUNDS; round++) {
            double pp = DRAW;
            double qq = DRAW;
            double pq = 0;
            double py = 0;
            double qy = 0;
            for (int i = 0; i < count; i++) {
                double y = examples.get(i).logSlowdown();
                double error = Math.abs(y - prior * priors[i] - share * shares[i]);
                double weight = round == 0 ? weights[i] : weights[i] / Math.max(LEAST_ERROR, error);
                pp += weight * priors[i] * priors[i];
                qq += weight * shares[i] * shares[i];
                pq += weight * priors[i] * shares[i];
                py += weight * priors[i] * y;
                qy += weight * shares[i] * y;
            }
            // What is minimised is convex, so that one after the other will do.
            for (int turn = 0; turn < TURNS; turn++) {
                prior = Math.max(0, Math.min(1, (py - share * pq) / pp));
                share = Math.max(0, Math.min(1, (qy - prior * pq) / qq));
            }
        }
        return new BoostedModel.Base(prior, share);
    }

    /** One training. Not thread-safe. */
    private static final class Growth {
        private static final int BINS = 64;
        private static final double LEAST_GAIN = 1e-6;

        private final Shape shape;
        private final int count;
        /** By input: the upper ends of its bins; none for one that is not learnt from. */
        private final double[][] cuts = new double[BoostedModel.INPUTS][];
        /** By input and example. */
        private final byte[][] bins = new byte[BoostedModel.INPUTS][];

        private final double[] weights;
        private final double[] residuals;
        private final int[] order;
        private final int[] scratch;
        private final double[] sums = new double[BINS];
        private final double[] masses = new double[BINS];
        private final Forest.Builder forest = new Forest.Builder(BoostedModel.INPUTS);

        Growth(List<Example> examples, Domain domain, PriorPredictor corrected, BoostedModel.Base base, Shape shape) {
            this.shape = shape;
            this.count = examples.size();
            this.weights = examples.stream().mapToDouble(Example::weight).toArray();
            this.residuals = examples.stream()
                    .mapToDouble(example -> example.logSlowdown() - base.logSlowdown(corrected, example.situation()))
                    .toArray();
            this.order = new int[count];
            this.scratch = new int[count];
            double[][] inputs = new double[count][];
            for (int i = 0; i < count; i++) {
                inputs[i] = BoostedModel.inputs(examples.get(i).situation());
            }
            for (int input = 0; input < BoostedModel.INPUTS; input++) {
                cuts[input] = BoostedModel.has(domain, input) ? cuts(column(inputs, input)) : new double[0];
                bins[input] = new byte[count];
                for (int i = 0; i < count; i++) {
                    int found = Arrays.binarySearch(cuts[input], inputs[i][input]);
                    // What is above the last cut, or not a number, is in the last bin.
                    bins[input][i] = (byte) (found >= 0 ? found : -found - 1);
                }
            }
        }

        private static double[] column(double[][] inputs, int input) {
            return Arrays.stream(inputs)
                    .mapToDouble(row -> row[input])
                    .filter(value -> !Double.isNaN(value))
                    .sorted()
                    .toArray();
        }

        /** Returns middles between neighbouring values, at most one fewer than there are bins. */
        private static double[] cuts(double[] sorted) {
            double[] distinct = Arrays.stream(sorted).distinct().toArray();
            if (distinct.length < 2) {
                return new double[0];
            }
            if (distinct.length <= BINS) {
                double[] middles = new double[distinct.length - 1];
                for (int i = 0; i < middles.length; i++) {
                    middles[i] = (distinct[i] + distinct[i + 1]) / 2;
                }
                return middles;
            }
            double[] quantiles = new double[BINS - 1];
            for (int i = 0; i < quantiles.length; i++) {
                quantiles[i] = sorted[(int) ((i + 1.0) / BINS * (sorted.length - 1))];
            }
            return Arrays.stream(quantiles).distinct().toArray();
        }

        Forest grow() {
            for (int tree = 0; tree < shape.trees(); tree++) {
                for (int i = 0; i < count; i++) {
                    order[i] = i;
                }
                grow(forest.root(), 0, count, shape.depth(), Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
            }
            return forest.build();
        }

        /** @param lowest and {@code highest}: what the leaves may say, before the rate */
        private void grow(int node, int from, int to, int depth, double lowest, double highest) {
            Split split = depth == 0 ? null : best(from, to, lowest, highest);
            if (split == null) {
                double value = shape.rate() * clamped(mean(from, to), lowest, highest);
                forest.value(node, value);
                for (int i = from; i < to; i++) {
                    residuals[order[i]] -= value;
                }
                return;
            }
            int middle = partition(from, to, split);
            int first = forest.split(node, split.input(), cuts[split.input()][split.bin()]);
            boolean monotone = BoostedModel.isMonotone(split.input());
            double border = (split.left() + split.right()) / 2;
            grow(first, from, middle, depth - 1, lowest, monotone ? Math.min(highest, border) : highest);
            grow(first + 1, middle, to, depth - 1, monotone ? Math.max(lowest, border) : lowest, highest);
        }

        /** @param left and {@code right}: what the sides would say */
        private record Split(int input, int bin, double gain, double left, double right) {}

        private double mean(int from, int to) {
            double sum = 0;
            double mass = 0;
            for (int i = from; i < to; i++) {
                sum += weights[order[i]] * residuals[order[i]];
                mass += weights[order[i]];
            }
            return sum / (mass + shape.penalty());
        }

        private Split best(int from, int to, double lowest, double highest) {
            Split best = null;
            for (int input = 0; input < BoostedModel.INPUTS; input++) {
                if (cuts[input].length > 0) {
                    Split split = best(input, from, to, lowest, highest);
                    best = best == null || (split != null && split.gain() > best.gain()) ? split : best;
                }
            }
            return best;
        }

        private Split best(int input, int from, int to, double lowest, double highest) {
            int binCount = cuts[input].length + 1;
            Arrays.fill(sums, 0, binCount, 0);
            Arrays.fill(masses, 0, binCount, 0);
            double sum = 0;
            double mass = 0;
            for (int i = from; i < to; i++) {
                int row = order[i];
                double weighted = weights[row] * residuals[row];
                sums[bins[input][row]] += weighted;
                masses[bins[input][row]] += weights[row];
                sum += weighted;
                mass += weights[row];
            }
            double whole = score(sum, mass, clamped(sum / (mass + shape.penalty()), lowest, highest));
            Split best = null;
            double leftSum = 0;
            double leftMass = 0;
            for (int bin = 0; bin < binCount - 1; bin++) {
                leftSum += sums[bin];
                leftMass += masses[bin];
                double rightMass = mass - leftMass;
                if (masses[bin] == 0 || leftMass == 0 || rightMass <= 1e-9) {
                    continue;
                }
                double left = clamped(leftSum / (leftMass + shape.penalty()), lowest, highest);
                double right = clamped((sum - leftSum) / (rightMass + shape.penalty()), lowest, highest);
                if (BoostedModel.isMonotone(input) && left > right) {
                    continue;
                }
                double gain = score(leftSum, leftMass, left) + score(sum - leftSum, rightMass, right) - whole;
                if (gain > LEAST_GAIN && (best == null || gain > best.gain())) {
                    best = new Split(input, bin, gain, left, right);
                }
            }
            return best;
        }

        /** Returns by how much {@code value} for all lowers half the penalised sum of squares. */
        private double score(double sum, double mass, double value) {
            return value * (sum - value * (mass + shape.penalty()) / 2);
        }

        private int partition(int from, int to, Split split) {
            byte[] column = bins[split.input()];
            int left = from;
            int right = 0;
            for (int i = from; i < to; i++) {
                if (column[order[i]] <= split.bin()) {
                    order[left++] = order[i];
                } else {
                    scratch[right++] = order[i];
                }
            }
            System.arraycopy(scratch, 0, order, left, right);
            return left;
        }

        private static double clamped(double value, double lowest, double highest) {
            return Math.max(lowest, Math.min(highest, value));
        }
    }
}
