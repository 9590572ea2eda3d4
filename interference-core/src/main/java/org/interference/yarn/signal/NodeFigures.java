package org.interference.yarn.signal;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** What a node says of itself at one instant; what it cannot tell is absent, a capacity with the reason. Immutable. */
public final class NodeFigures {
    private static final NodeMetric[] METRICS = NodeMetric.values();
    private static final int SIZE =
            Arrays.stream(METRICS).mapToInt(NodeMetric::id).max().orElse(0) + 1;

    private static final boolean[] KNOWN = new boolean[SIZE];

    static {
        for (NodeMetric metric : METRICS) {
            KNOWN[metric.id()] = true;
        }
    }

    /** Nothing is told. */
    public static final NodeFigures EMPTY = new NodeFigures(Map.of());

    /** By {@link NodeMetric#id}; not a number if absent. Floats, because a ResourceManager holds those of 10,000 nodes. */
    private final float[] values;

    private final Map<NodeMetric, Untold> untold;

    /** @throws IllegalArgumentException if a value is negative or not finite */
    public NodeFigures(Map<NodeMetric, Double> values) {
        this(values, Map.of());
    }

    /**
     * @param untold why some metrics without a value have none
     * @throws IllegalArgumentException if a value is negative or not finite
     */
    public NodeFigures(Map<NodeMetric, Double> values, Map<NodeMetric, Untold> untold) {
        this(packed(values), Map.copyOf(untold));
    }

    private NodeFigures(float[] values, Map<NodeMetric, Untold> untold) {
        this.values = values;
        this.untold = untold;
    }

    private static float[] packed(Map<NodeMetric, Double> values) {
        Builder builder = new Builder();
        values.forEach((metric, value) -> builder.put(metric.id(), value));
        return builder.checked();
    }

    /** Takes figures by the id of their metric, as they come from a node. Not thread-safe; good for one {@link #build}. */
    public static final class Builder {
        private final float[] values = new float[SIZE];

        public Builder() {
            Arrays.fill(values, Float.NaN);
        }

        /** Of two with one id the later counts; an id of a newer peer is ignored. */
        public void put(int id, double value) {
            if (id < SIZE && KNOWN[id]) {
                // What is no number is no absence, either.
                values[id] = Double.isNaN(value) ? Float.POSITIVE_INFINITY : (float) value;
            }
        }

        /**
         * Returns what was put.
         *
         * @param untold why some metrics without a value have none
         * @throws IllegalArgumentException if a value is negative or not finite
         */
        public NodeFigures build(Map<NodeMetric, Untold> untold) {
            return new NodeFigures(checked(), Map.copyOf(untold));
        }

        private float[] checked() {
            for (NodeMetric metric : METRICS) {
                float value = values[metric.id()];
                if (value < 0 || value == Float.POSITIVE_INFINITY) {
                    throw new IllegalArgumentException("%s must be finite and >= 0, got %s".formatted(metric, value));
                }
            }
            return values;
        }
    }

    public OptionalDouble value(NodeMetric metric) {
        float value = values[metric.id()];
        return Float.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** Returns what is told, in the order of the metrics. */
    public Map<NodeMetric, Double> values() {
        Map<NodeMetric, Double> told = new EnumMap<>(NodeMetric.class);
        for (NodeMetric metric : METRICS) {
            value(metric).ifPresent(value -> told.put(metric, value));
        }
        return Collections.unmodifiableMap(told);
    }

    /** Returns why some metrics have no value, in the order of the metrics. */
    public Map<NodeMetric, Untold> untold() {
        return new TreeMap<>(untold);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NodeFigures that && Arrays.equals(values, that.values) && untold.equals(that.untold);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(values) + untold.hashCode();
    }

    @Override
    public String toString() {
        return values() + " " + untold();
    }
}
