package org.interference.yarn.predict;

import java.util.ArrayList;
import java.util.List;

/**
 * The sum of regression trees, as flat arrays: one row a node. Immutable.
 *
 * <p>A node with {@code feature >= 0} goes to the node at {@code next} where the input is at most {@code value}, and else to the
 * one after it; any other is a leaf and adds {@code value}.
 */
public final class Forest {
    /** The feature of a leaf. */
    static final int LEAF = -1;

    private final int[] roots;
    private final int[] features;
    private final int[] next;
    private final double[] values;

    private Forest(int[] roots, int[] features, int[] next, double[] values) {
        this.roots = roots;
        this.features = features;
        this.next = next;
        this.values = values;
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

    double sum(double[] inputs) {
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
