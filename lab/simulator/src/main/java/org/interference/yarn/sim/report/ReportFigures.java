package org.interference.yarn.sim.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.interference.yarn.lab.stats.Interval;

/** How figures stand in published files. Pure. */
public final class ReportFigures {
    private static final double DIGITS = 10_000;

    private ReportFigures() {}

    /** Returns {@code value} to four digits behind the point; negative zero is zero. */
    public static double rounded(double value) {
        return Math.rint(value * DIGITS) / DIGITS + 0.0;
    }

    /** Returns {@code mean}, {@code low} and {@code high}, to which the caller adds of how many values they are. */
    public static ObjectNode of(Interval interval) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("mean", rounded(interval.mean()))
                .put("low", rounded(interval.low()))
                .put("high", rounded(interval.high()));
    }
}
