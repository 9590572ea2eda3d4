package org.interference.yarn.predict;

import java.util.ArrayList;
import java.util.List;

/**
 * The sum of regression trees, as flat arrays: one row a node. Immutable.
 *
 * <p>A node with {@code feature >= 0} goes to the node at {@code next} where the input is at most {@code value}, and else to the
 * one after it; any other is a leaf and adds {@code value}.
 *
 * <p>Trees that are no deeper than {@value #DEEPEST_COMPLETE} are asked as complete ones: with as many steps for each the processor need not
 * guess where a tree ends, and 150 trees of depth 4 take a third of the time.
 */
public final class Forest {
    /** The feature of a leaf. */
    static final int LEAF = -1;

    /** A complete tree is twice as large with each level. */
    private static final int DEEPEST_COMPLETE = 6;

    /** Of a forest that is read from a file. */
    private static final int MOST_PLACES = 1 << 20;

    private final int[] roots;
    private final int[] features;
    private final int[] next;
    private final double[] values;
    /** The same trees, all of one depth; null if one is too deep, or if they are too many. */
    private final Complete complete;

    private Forest(int[] roots, int[] features, int[] next, double[] values) {
        this.roots = roots;
        this.features = features;
        this.next = next;
        this.values = values;
        this.complete = Complete.of(this);
    }

    /**
     * Trees of one depth, {@code 2^depth} places each: the children of the node at {@code n} are at {@code 2 n} and {@code 2 n + 1}, from the root
     * at 1 on; the children of the last nodes are leaves. What ends earlier goes on to leaves that are all alike.
     */
    private static final class Complete {
        private final int depth;
        private final int[] features;
        private final double[] thresholds;
        private final double[] leaves;

        private Complete(int depth, int trees) {
            this.depth = depth;
            this.features = new int[trees << depth];
            this.thresholds = new double[trees << depth];
            this.leaves = new double[trees << depth];
        }

        /** Returns null if a tree of {@code forest} is too deep, or if it has too many. */
        static Complete of(Forest forest) {
            int depth = 0;
            for (int root : forest.roots) {
                depth = Math.max(depth, forest.depth(root, 0));
            }
            if (depth > DEEPEST_COMPLETE || forest.roots.length > MOST_PLACES >> depth) {
                return null;
            }
            Complete complete = new Complete(depth, forest.roots.length);
            for (int tree = 0; tree < forest.roots.length; tree++) {
                complete.fill(forest, tree << depth, 1, forest.roots[tree]);
            }
            return complete;
        }

        private void fill(Forest forest, int base, int place, int node) {
            if (place >= 1 << depth) {
                leaves[base + place - (1 << depth)] = forest.values[node];
                return;
            }
            boolean leaf = forest.features[node] == LEAF;
            features[base + place] = leaf ? 0 : forest.features[node];
            thresholds[base + place] = leaf ? 0 : forest.values[node];
            fill(forest, base, 2 * place, leaf ? node : forest.next[node]);
            fill(forest, base, 2 * place + 1, leaf ? node : forest.next[node] + 1);
        }

        double sum(double[] inputs) {
            double sum = 0;
            int size = 1 << depth;
            for (int base = 0; base < leaves.length; base += size) {
                int place = 1;
                for (int level = 0; level < depth; level++) {
                    int at = base + place;
                    place = 2 * place + (inputs[features[at]] <= thresholds[at] ? 0 : 1);
                }
                sum += leaves[base + place - size];
            }
            return sum;
        }
    }

    /** Returns how many splits there are from {@code node} on, at most one more than {@link #DEEPEST_COMPLETE}. */
    private int depth(int node, int above) {
        if (features[node] == LEAF || above > DEEPEST_COMPLETE) {
            return above;
        }
        return Math.max(depth(next[node], above + 1), depth(next[node] + 1, above + 1));
    }

    /**
     * Returns the forest of these nodes.
     *
     * @param inputs how many figures there are to ask for
     * @throws IllegalArgumentException if a node asks for a figure that there is not, or goes anywhere but onwards, or has a
     *     value that is not finite: a forest that is read from a file neither fails nor runs for ever
     */
    public static Forest of(int inputs, int[] roots, int[] features, int[] next, double[] values) {
        if (features.length != next.length || features.length != values.length) {
            throw new IllegalArgumentException("%d features, %d next nodes and %d values are no forest"
                    .formatted(features.length, next.length, values.length));
        }
        for (int root : roots) {
            requireNode(root >= 0 && root < features.length, root);
        }
        for (int node = 0; node < features.length; node++) {
            boolean leaf = features[node] == LEAF;
            boolean onwards = next[node] > node && next[node] + 1 < features.length;
            requireNode(leaf || (features[node] >= 0 && features[node] < inputs && onwards), node);
            requireNode(Double.isFinite(values[node]), node);
        }
        return new Forest(roots.clone(), features.clone(), next.clone(), values.clone());
    }

    private static void requireNode(boolean valid, int node) {
        if (!valid) {
            throw new IllegalArgumentException("node %d of the forest is broken".formatted(node));
        }
    }

    /** Returns what the trees say of {@code inputs}, of which each may be not a number: then it is above any other. */
    double sum(double[] inputs) {
        return complete == null ? sumOfWalks(inputs) : complete.sum(inputs);
    }

    /** Returns the same, each tree by itself. */
    double sumOfWalks(double[] inputs) {
        double sum = 0;
        for (int root : roots) {
            int node = root;
            int feature = features[node];
            while (feature >= 0) {
                node = inputs[feature] <= values[node] ? next[node] : next[node] + 1;
                feature = features[node];
            }
            sum += values[node];
        }
        return sum;
    }

    public int[] roots() {
        return roots.clone();
    }

    public int[] features() {
        return features.clone();
    }

    public int[] next() {
        return next.clone();
    }

    public double[] values() {
        return values.clone();
    }

    /** Collects nodes. Not thread-safe. */
    static final class Builder {
        private final int inputs;
        private final List<Integer> roots = new ArrayList<>();
        private final List<Integer> features = new ArrayList<>();
        private final List<Integer> next = new ArrayList<>();
        private final List<Double> values = new ArrayList<>();

        Builder(int inputs) {
            this.inputs = inputs;
        }

        int root() {
            roots.add(features.size());
            return leaf();
        }

        private int leaf() {
            features.add(LEAF);
            next.add(0);
            values.add(0.0);
            return features.size() - 1;
        }

        void value(int node, double value) {
            values.set(node, value);
        }

        /** Splits {@code node} and returns the first of its two new leaves. */
        int split(int node, int feature, double threshold) {
            int first = leaf();
            leaf();
            features.set(node, feature);
            next.set(node, first);
            values.set(node, threshold);
            return first;
        }

        Forest build() {
            return of(
                    inputs,
                    ints(roots),
                    ints(features),
                    ints(next),
                    values.stream().mapToDouble(Double::doubleValue).toArray());
        }

        private static int[] ints(List<Integer> list) {
            return list.stream().mapToInt(Integer::intValue).toArray();
        }
    }
}
