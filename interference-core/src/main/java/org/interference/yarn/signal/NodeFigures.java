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
        this.untold = Map.copyOf(untold);
        this.values = new float[SIZE];
        Arrays.fill(this.values, Float.NaN);
        values.forEach((metric, value) -> {
            if (!(value >= 0 && value <= Float.MAX_VALUE)) {
                throw new IllegalArgumentException("%s must be finite and >= 0, got %s".formatted(metric, value));
            }
            this.values[metric.id()] = value.floatValue();
        });
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
