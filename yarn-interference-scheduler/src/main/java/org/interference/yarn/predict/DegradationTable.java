package org.interference.yarn.predict;

import java.util.List;
import org.interference.yarn.signal.InterferenceClass;
import org.interference.yarn.signal.Signal;

/**
 * Published slowdown factors by shared resource and interference class.
 *
 * <p>CPU, memory, disk and cache: Xavier, PUCRS 2019, Table 6.2. That table has no network column (its "affinity" column
 * prices placing talking tiers apart, which is another question), so network is IADA's (JSS 2022). All were measured on
 * web applications, not on Hadoop: they rank, they do not forecast (ADR-0005).
 */
final class DegradationTable {
    private static final List<Row> ROWS = List.of(
            new Row(Signal.CPU, 1.03, 1.15, 1.33),
            new Row(Signal.MBW, 1.07, 1.62, 1.74),
            new Row(Signal.BLK, 1.12, 1.82, 2.25),
            new Row(Signal.LLCOCC, 1.07, 1.18, 1.26),
            new Row(Signal.NETP, 1.13, 1.43, 1.62));

    private DegradationTable() {}

    /** One shared resource: the signal that says how hard it is pressed, and the factor of each class but Absent. */
    record Row(Signal signal, double low, double moderate, double high) {
        double factor(InterferenceClass interference) {
            return switch (interference) {
                case ABSENT -> 1.0;
                case LOW -> low;
                case MODERATE -> moderate;
                case HIGH -> high;
            };
        }
    }

    static List<Row> rows() {
        return ROWS;
    }
}
