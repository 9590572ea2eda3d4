package org.interference.yarn.lab.chart;

import java.io.StringWriter;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * A drawing. No chart library makes it: those for Java lay text out with the fonts of the machine, so that their files differ between
 * machines, and these are compared byte by byte. Here nothing depends on how wide a text is. Not thread-safe; for one use.
 */
public final class Svg {
    /** The colour of texts and axes. */
    public static final String TEXT = "#24292f";
    /** Of what is behind everything. */
    public static final String GRID = "#d0d7de";

    private final StringWriter out = new StringWriter();
    private final XMLStreamWriter xml;

    /** Begins a drawing of so many pixels with {@code title} above it. */
    public Svg(int width, int height, String title) {
        try {
            // The JDK's own: another implementation on the class path could write the same differently.
            xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out);
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
            xml.writeCharacters(title);
            xml.writeEndElement();
            line();
        } catch (XMLStreamException e) {
            throw impossible(e);
        }
        shape("rect", "width", width, "height", height, "fill", "#ffffff");
        text(title, 12, 22, "font-size", 15, "font-weight", "bold");
    }

    /** Writes {@code text} with these attributes, each a name and its value. */
    public void text(String text, double x, double y, Object... attributes) {
        try {
            xml.writeStartElement("text");
            attributes("x", x, "y", y);
            attributes(attributes);
            xml.writeCharacters(text);
            xml.writeEndElement();
            line();
        } catch (XMLStreamException e) {
            throw impossible(e);
        }
    }

    /** Draws an element with these attributes, each a name and its value. */
    public void shape(String name, Object... attributes) {
        try {
            xml.writeEmptyElement(name);
            attributes(attributes);
            line();
        } catch (XMLStreamException e) {
            throw impossible(e);
        }
    }

    /** Ends the drawing and returns it. */
    public String write() {
        try {
            xml.writeEndElement();
            xml.close();
        } catch (XMLStreamException e) {
            throw impossible(e);
        }
        return out.append('\n').toString();
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

    private static IllegalStateException impossible(XMLStreamException e) {
        return new IllegalStateException("memory cannot be written to", e);
    }
}
