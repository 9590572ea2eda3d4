package org.interference.yarn.sim.report;

import java.util.List;
import java.util.Optional;
import org.interference.yarn.lab.stats.Interval;

/**
 * A chart of gains over a baseline with their intervals: a row for each policy, a panel for each metric. Immutable.
 *
 * @param axis what the numbers below each panel are
 */
record ForestPlot(String title, String axis, List<String> panels, List<Row> rows) {
    ForestPlot {
        panels = List.copyOf(panels);
        rows = List.copyOf(rows);
        if (panels.isEmpty()) {
            throw new IllegalArgumentException("a chart has a panel, got none");
        }
        for (Row row : rows) {
            if (row.gains().size() != panels.size()) {
                throw new IllegalArgumentException("row %s has %d gains for %d panels"
                        .formatted(row.label(), row.gains().size(), panels.size()));
            }
        }
    }

    /**
     * One policy.
     *
     * @param gains one for each panel, in per cent of the baseline; empty where nothing could be compared
     */
    record Row(String label, List<Optional<Interval>> gains) {
        Row {
            gains = List.copyOf(gains);
        }
    }

    /** Returns the chart as SVG, the same bytes on every machine. */
    String svg() {
        return new ForestPlotSvg(this).write();
    }
}
