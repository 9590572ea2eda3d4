package org.interference.yarn.degradation;

import java.util.List;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * Published slowdown factors by shared resource and how hard it is pressed; the predictor of task slowdowns and plans have them from here.
 *
 * <p>CPU, memory, disk and cache: Xavier, PUCRS 2019, Table 6.2 ({@link Level}). That table has no network column (its "affinity" column
 * prices placing talking tiers apart, which is another question), so network is IADA's (JSS 2022). All were measured on
 * web applications, not on Hadoop: they rank, they do not forecast (ADR-0005).
 */
public final class DegradationTable {
    /** The middle of class Moderate (Table 6.1). */
    public static final double MODERATE = 0.355;

    private static final List<Row> ROWS = List.of(
            row(Signal.CPU, Resource.CPU),
            row(Signal.MBW, Resource.MEMORY),
            row(Signal.BLK, Resource.DISK),
            row(Signal.LLOCC, Resource.CACHE),
            new Row(Signal.NETP, 1.13, 1.43, 1.62));

    private DegradationTable() {}

    private static Row row(Signal signal, Resource resource) {
        return new Row(
                signal,
                Level.LOW.degradation(resource),
                Level.MODERATE.degradation(resource),
                Level.HIGH.degradation(resource));
    }

    /**
     * One shared resource: the signal that says how hard it is pressed, and the factor of each class but Absent.
     *
     * <p>A factor stands at the middle of its class. Between the classes it is linear, and beyond the last it goes on with
     * the same slope: as steps, the table would make further harm free on a node that is already in class High.
     */
    public record Row(Signal signal, double low, double moderate, double high) {
        /** The middles of Absent 0 %, Low 1-20 %, Moderate 21-50 % and High 51-100 % (Table 6.1). */
        private static final double[] LEVELS = {0, 0.105, MODERATE, 0.755};

        /** Returns the factor at {@code level}, the pressure of all neighbours on this resource. */
        public double factor(double level) {
            if (level <= LEVELS[1]) {
                return between(1, low, 1, level);
            }
            return level <= LEVELS[2] ? between(low, moderate, 2, level) : between(moderate, high, 3, level);
        }

        /** Returns what is linear between the classes before {@code upper} and that one. */
        private static double between(double before, double factor, int upper, double level) {
            double slope = (factor - before) / (LEVELS[upper] - LEVELS[upper - 1]);
            return factor + slope * (level - LEVELS[upper]);
        }
    }

    /**
     * Returns the factor by which a task with this load slows down others that use the same resource; at least 1.
     *
     * @param signal of a resource that has a row
     */
    public static double factor(InterferenceVector load, Signal signal) {
        return ROWS.stream()
                .filter(row -> row.signal() == signal)
                .mapToDouble(row -> row.factor(load.levelOr(signal, 0)))
                .findFirst()
                .orElseThrow();
    }

    /** Returns the resources in an order that does not change. */
    public static List<Row> rows() {
        return ROWS;
    }
}
