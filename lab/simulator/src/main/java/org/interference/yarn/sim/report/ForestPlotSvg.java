package org.interference.yarn.sim.report;

import java.io.StringWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.interference.yarn.lab.stats.Interval;
import org.interference.yarn.sim.report.ForestPlot.Row;

/**
 * Draws a {@link ForestPlot}. No chart library does: those for Java lay text out with the fonts of the machine, so that their
 * files differ between machines, and this file is compared byte by byte. Here nothing depends on how wide a text is.
 * Not thread-safe; for one use.
 */
final class ForestPlotSvg {
    private static final int LABELS = 190;
    private static final int PANEL = 250;
    private static final int GAP = 46;
    private static final int TOP = 62;
    private static final int ROW = 22;
    private static final int BOTTOM = 52;

    private static final String TEXT = "#24292f";
    private static final String GRID = "#d0d7de";
    private static final String BETTER = "#0969da";
    private static final String WORSE = "#bc4c00";
    private static final String UNCERTAIN = "#6e7781";

    private final ForestPlot plot;
    private final StringWriter out = new StringWriter();
    private final int width;
    private final int height;
    private XMLStreamWriter xml;

    ForestPlotSvg(ForestPlot plot) {
        this.plot = plot;
        this.width = LABELS + plot.panels().size() * (PANEL + GAP);
        this.height = TOP + plot.rows().size() * ROW + BOTTOM;
    }

    String write() {
        try {
            // The JDK's own: another implementation on the class path could write the same differently.
            xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out);
            document();
            xml.close();
            return out.append('\n').toString();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("memory cannot be written to", e);
        }
    }

    private void document() throws XMLStreamException {
        xml.writeStartElement("svg");
        attributes(
                "xmlns",
                "http://www.w3.org/2000/svg",
                "viewBox",
                "0 0 " + width + " " + height,
                "width",
                width,
                "height",
                height,
                "font-family",
                "sans-serif",
                "font-size",
                12,
                "fill",
                TEXT,
                "role",
                "img");
        line();
        xml.writeStartElement("title");
        xml.writeCharacters(plot.title());
        xml.writeEndElement();
        line();
        shape("rect", "width", width, "height", height, "fill", "#ffffff");
        text(plot.title(), 12, 22, "font-size", 15, "font-weight", "bold");
        for (int row = 0; row < plot.rows().size(); row++) {
            text(plot.rows().get(row).label(), LABELS - 12, middle(row) + 4, "text-anchor", "end");
        }
        for (int panel = 0; panel < plot.panels().size(); panel++) {
            panel(panel);
        }
        xml.writeEndElement();
    }

    private void panel(int panel) throws XMLStreamException {
        int left = LABELS + panel * (PANEL + GAP);
        int bottom = height - BOTTOM;
        Axis axis = Axis.over(plot.rows().stream()
                .flatMap(row -> row.gains().get(panel).stream())
                .flatMapToDouble(gain -> DoubleStream.of(gain.low(), gain.high())));

        text(plot.panels().get(panel), left + PANEL / 2.0, TOP - 16, "text-anchor", "middle", "font-weight", "bold");
        for (double tick : axis.ticks()) {
            double x = left + PANEL * axis.position(tick);
            String color = tick == 0 ? TEXT : GRID;
            shape("line", "x1", x, "y1", TOP - 8, "x2", x, "y2", bottom + 4, "stroke", color);
            text(tick(tick), x, bottom + 18, "text-anchor", "middle", "font-size", 11);
        }
        text(plot.axis(), left + PANEL / 2.0, bottom + 38, "text-anchor", "middle", "font-size", 11);
        for (int row = 0; row < plot.rows().size(); row++) {
            gain(plot.rows().get(row), panel, row, left, axis);
        }
    }

    private void gain(Row row, int panel, int number, int left, Axis axis) throws XMLStreamException {
        double y = middle(number);
        Optional<Interval> compared = row.gains().get(panel);
        if (compared.isEmpty()) {
            text("not compared", left + PANEL / 2.0, y + 4, "text-anchor", "middle", "fill", UNCERTAIN);
            return;
        }
        Interval gain = compared.get();
        String color = gain.contains(0) ? UNCERTAIN : gain.mean() > 0 ? BETTER : WORSE;
        double low = left + PANEL * axis.position(gain.low());
        double high = left + PANEL * axis.position(gain.high());
        double mean = left + PANEL * axis.position(gain.mean());
        shape("line", "x1", low, "y1", y, "x2", high, "y2", y, "stroke", color, "stroke-width", 2);
        shape("circle", "cx", mean, "cy", y, "r", 4, "fill", color);
    }

    private static double middle(int row) {
        return TOP + (row + 0.5) * ROW;
    }

    private static String tick(double value) {
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%+.0f %%" : "%+.1f %%", value)
                .replaceFirst("^[+-]0 ", "0 ")
                .replace('-', '\u2212');
    }

    private void text(String text, double x, double y, Object... attributes) throws XMLStreamException {
        xml.writeStartElement("text");
        attributes("x", x, "y", y);
        attributes(attributes);
        xml.writeCharacters(text);
        xml.writeEndElement();
        line();
    }

    private void shape(String name, Object... attributes) throws XMLStreamException {
        xml.writeEmptyElement(name);
        attributes(attributes);
        line();
    }

    private void attributes(Object... namesAndValues) throws XMLStreamException {
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            String text =
                    value instanceof Double number ? String.format(Locale.ROOT, "%.1f", number) : String.valueOf(value);
            xml.writeAttribute((String) namesAndValues[i], text);
        }
    }

    private void line() throws XMLStreamException {
        xml.writeCharacters("\n");
    }
}
