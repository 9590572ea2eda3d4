package org.interference.yarn.sim.report;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.interference.yarn.lab.chart.Svg;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.sim.report.ForestPlot.Row;

/** Draws a {@link ForestPlot}. Not thread-safe; for one use. */
final class ForestPlotSvg {
    private static final int LABELS = 190;
    private static final int PANEL = 250;
    private static final int GAP = 46;
    private static final int TOP = 62;
    private static final int ROW = 22;
    private static final int BOTTOM = 52;

    private static final String BETTER = "#0969da";
    private static final String WORSE = "#bc4c00";
    private static final String UNCERTAIN = "#6e7781";

    private final ForestPlot plot;
    private final int height;
    private final Svg svg;

    ForestPlotSvg(ForestPlot plot) {
        this.plot = plot;
        this.height = TOP + plot.rows().size() * ROW + BOTTOM;
        this.svg = new Svg(LABELS + plot.panels().size() * (PANEL + GAP), height, plot.title());
    }

    String write() {
        for (int row = 0; row < plot.rows().size(); row++) {
            svg.text(plot.rows().get(row).label(), LABELS - 12, middle(row) + 4, "text-anchor", "end");
        }
        for (int panel = 0; panel < plot.panels().size(); panel++) {
            panel(panel);
        }
        return svg.write();
    }

    private void panel(int panel) {
        int left = LABELS + panel * (PANEL + GAP);
        int bottom = height - BOTTOM;
        Axis axis = Axis.over(plot.rows().stream()
                .flatMap(row -> row.gains().get(panel).stream())
                .flatMapToDouble(gain -> DoubleStream.of(gain.low(), gain.high())));

        svg.text(
                plot.panels().get(panel), left + PANEL / 2.0, TOP - 16, "text-anchor", "middle", "font-weight", "bold");
        for (double tick : axis.ticks()) {
            double x = left + PANEL * axis.position(tick);
            String color = tick == 0 ? Svg.TEXT : Svg.GRID;
            svg.shape("line", "x1", x, "y1", TOP - 8, "x2", x, "y2", bottom + 4, "stroke", color);
            svg.text(tick(tick), x, bottom + 18, "text-anchor", "middle", "font-size", 11);
        }
        svg.text(plot.axis(), left + PANEL / 2.0, bottom + 38, "text-anchor", "middle", "font-size", 11);
        for (int row = 0; row < plot.rows().size(); row++) {
            gain(plot.rows().get(row), panel, row, left, axis);
        }
    }

    private void gain(Row row, int panel, int number, int left, Axis axis) {
        double y = middle(number);
        Optional<Interval> compared = row.gains().get(panel);
        if (compared.isEmpty()) {
            svg.text("not compared", left + PANEL / 2.0, y + 4, "text-anchor", "middle", "fill", UNCERTAIN);
            return;
        }
        Interval gain = compared.get();
        String color = gain.contains(0) ? UNCERTAIN : gain.mean() > 0 ? BETTER : WORSE;
        double low = left + PANEL * axis.position(gain.low());
        double high = left + PANEL * axis.position(gain.high());
        double mean = left + PANEL * axis.position(gain.mean());
        svg.shape("line", "x1", low, "y1", y, "x2", high, "y2", y, "stroke", color, "stroke-width", 2);
        svg.shape("circle", "cx", mean, "cy", y, "r", 4, "fill", color);
    }

    private static double middle(int row) {
        return TOP + (row + 0.5) * ROW;
    }

    private static String tick(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%+.0f %%" : "%+.1f %%", value)
                .replaceFirst("^[+-]0 ", "0 ")
                .replace('-', '\u2212');
    }
}
