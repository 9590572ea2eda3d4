package org.interference.yarn.sim.report;

import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * A linear axis with round ticks that holds 0. Immutable.
 *
 * @param step between ticks: 1, 2 or 5 times a power of ten
 * @param first tick, in steps
 * @param last tick, in steps
 */
record Axis(double step, long first, long last) {
    private static final int MOST_STEPS = 6;
    private static final double LEAST_SPAN = 2;

    /** Returns the axis with the finest ticks that holds {@code values} in few enough of them. */
    static Axis over(DoubleStream values) {
        var statistics = DoubleStream.concat(values, DoubleStream.of(-LEAST_SPAN / 2, LEAST_SPAN / 2))
                .summaryStatistics();
        double low = statistics.getMin();
        double high = statistics.getMax();
        double unit = StrictMath.pow(10, Math.floor(StrictMath.log10((high - low) / MOST_STEPS)));
        for (int factor : new int[] {1, 2, 5, 10, 20}) {
            double step = unit * factor;
            Axis axis = new Axis(step, (long) Math.floor(low / step), (long) Math.ceil(high / step));
            if (axis.last - axis.first <= MOST_STEPS) {
                return axis;
            }
        }
        throw new IllegalStateException("no step suits %s to %s".formatted(low, high));
    }

    List<Double> ticks() {
        return LongStream.rangeClosed(first, last).mapToObj(i -> i * step).toList();
    }

    /** Returns where {@code value} is between the ends, 0 to 1. */
    double position(double value) {
        return (value / step - first) / (last - first);
    }
}
