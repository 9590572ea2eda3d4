package org.interference.yarn.sim.report;

import java.util.List;
import java.util.Optional;

/**
 * A chart of changes against a baseline with their intervals: a row for each policy, a panel for each metric. Immutable.
 *
 * @param lowerIsBetter what is written below the panels, for example "lower is better"
 */
public record ForestPlot(String title, List<String> panels, List<Row> rows, String lowerIsBetter) {
    public ForestPlot {
        panels = List.copyOf(panels);
        rows = List.copyOf(rows);
        if (panels.isEmpty() || rows.isEmpty()) {
            throw new IllegalArgumentException(
                    "a chart has a panel and a row, got %d and %d".formatted(panels.size(), rows.size()));
        }
        for (Row row : rows) {
            if (row.changes().size() != panels.size()) {
                throw new IllegalArgumentException("row %s has %d changes for %d panels"
                        .formatted(row.label(), row.changes().size(), panels.size()));
            }
        }
    }

    /**
     * One policy.
     *
     * @param changes one for each panel; empty where nothing could be compared
     */
    public record Row(String label, List<Optional<Change>> changes) {
        public Row {
            changes = List.copyOf(changes);
        }
    }

    /** A mean change and its interval, in per cent of the baseline; negative is less. */
    public record Change(double mean, double low, double high) {
        public Change {
            if (!(low <= mean && mean <= high) || Double.isInfinite(low) || Double.isInfinite(high)) {
                throw new IllegalArgumentException(
                        "an interval is finite and holds its mean, got %s in [%s, %s]".formatted(mean, low, high));
            }
        }

        boolean isLess() {
            return high < 0;
        }

        boolean isMore() {
            return low > 0;
        }
    }

    /** Returns the chart as SVG, the same bytes on every machine. */
    public String svg() {
        return new ForestPlotSvg(this).write();
    }
}
