package org.interference.yarn.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/**
 * A plan as an SVG picture: machines with the tiers in them; lines where tiers talk, broken where they must do so from machine to machine;
 * lines where tiers on a machine disturb each other. In the colours of the reader's light or dark scheme. Pure.
 */
public final class PlanPicture {
    private static final int TIER_WIDTH = 150;
    private static final int TIER_HEIGHT = 26;
    private static final int STEP = TIER_HEIGHT + 18;
    private static final int PADDING = 36;
    private static final int HEAD = 46;
    private static final int MACHINE_WIDTH = TIER_WIDTH + 2 * PADDING;
    private static final int GAP = 56;
    private static final int TOP = 76;
    private static final int LONGEST = 20;
    private static final int MOST_COLUMNS = 10;

    private static final String STYLE = """
            text { font: 13px sans-serif; fill: #1f2328; }
            .small { font-size: 11px; fill: #59636e; }
            .machine { fill: #f6f8fa; stroke: #8c959f; }
            .over { stroke: #cf222e; stroke-width: 3; }
            .tier { fill: #ffffff; stroke: #57606a; }
            .occupant { fill: #d1d9e0; stroke: #57606a; stroke-dasharray: 2 2; }
            .talk { fill: none; stroke: #1a7f37; stroke-width: 2; }
            .away { stroke-dasharray: 6 4; }
            .disturb { fill: none; stroke: #cf222e; stroke-width: 2; }
            svg { background: #ffffff; }
            @media (prefers-color-scheme: dark) {
              text { fill: #f0f6fc; } .small { fill: #9198a1; }
              .machine { fill: #151b23; stroke: #656c76; } .tier { fill: #0d1117; stroke: #9198a1; }
              .occupant { fill: #3d444d; } .talk { stroke: #3fb950; } .disturb, .over { stroke: #f85149; }
              svg { background: #0d1117; }
            }
            """;

    private record Chip(String tier, int machine, int x, int y, boolean occupant, String says) {}

    private record Box(JsonNode machine, int x, int y, int height) {}

    private final JsonNode answer;
    private final List<Box> boxes = new ArrayList<>();
    private final List<Chip> chips = new ArrayList<>();
    private int width;
    private int height;

    private PlanPicture(JsonNode answer) {
        this.answer = answer;
        lay(answer.path("plan").path("machines"));
    }

    /** Returns the picture of the plan in {@code answer}. */
    public static String of(JsonNode answer) {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter svg = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
            new PlanPicture(answer).draw(new Svg(svg));
            svg.close();
        } catch (XMLStreamException e) {
            throw new IllegalStateException("text cannot be written to memory", e);
        }
        return text + "\n";
    }

    private void lay(JsonNode machines) {
        int columns = Math.max(1, Math.min(MOST_COLUMNS, (int) Math.ceil(Math.sqrt(1.5 * machines.size()))));
        int y = TOP;
        for (int row = 0; row * columns < machines.size(); row++) {
            int rowHeight = 0;
            for (int column = 0; column < columns && row * columns + column < machines.size(); column++) {
                JsonNode machine = machines.get(row * columns + column);
                int boxHeight = HEAD + Math.max(1, machine.path("tiers").size()) * STEP;
                boxes.add(new Box(machine, GAP / 2 + column * (MACHINE_WIDTH + GAP), y, boxHeight));
                rowHeight = Math.max(rowHeight, boxHeight);
            }
            y += rowHeight + GAP;
        }
        width = Math.max(640, columns * (MACHINE_WIDTH + GAP));
        height = y;
        for (int machine = 0; machine < boxes.size(); machine++) {
            layTiers(machine, boxes.get(machine));
        }
    }

    private void layTiers(int machine, Box box) {
        int y = box.y() + HEAD;
        for (JsonNode tier : box.machine().path("tiers")) {
            String says = "%s: slowed down %s by its neighbours, %s by distance"
                    .formatted(
                            tier.path("name").asText(), number(tier.path("slowdown")), number(tier.path("affinity")));
            chips.add(new Chip(
                    tier.path("name").asText(),
                    machine,
                    box.x() + PADDING,
                    y,
                    tier.path("occupant").asBoolean(),
                    says));
            y += STEP;
        }
    }

    private void draw(Svg svg) throws XMLStreamException {
        svg.begin(
                "svg",
                "xmlns",
                "http://www.w3.org/2000/svg",
                "viewBox",
                "0 0 %d %d".formatted(width, height),
                "width",
                Integer.toString(width),
                "height",
                Integer.toString(height),
                "role",
                "img");
        svg.element("title", "Plan of %s".formatted(answer.path("name").asText()));
        svg.element("style", STYLE);
        svg.text(
                GAP / 2,
                26,
                "",
                "%s, cost %s"
                        .formatted(
                                answer.path("name").asText(),
                                number(answer.path("plan").path("cost"))));
        legend(svg);
        for (Box box : boxes) {
            machine(svg, box);
        }
        for (JsonNode tier : answer.path("tiers")) {
            tier.path("affinity").properties().stream()
                    .filter(affinity -> affinity.getValue().asDouble() > 1)
                    .forEach(affinity -> talk(svg, tier.path("name").asText(), affinity));
        }
        for (int machine = 0; machine < boxes.size(); machine++) {
            disturb(svg, machine);
        }
        for (Chip chip : chips) {
            tier(svg, chip);
        }
        svg.end();
    }

    private static void legend(Svg svg) throws XMLStreamException {
        String[] styles = {"talk", "talk away", "disturb"};
        String[] meanings = {"talk on one machine", "talk from machine to machine", "disturb each other"};
        int x = GAP / 2;
        for (int i = 0; i < styles.length; i++) {
            svg.path(styles[i], "M%d 48h30".formatted(x), meanings[i]);
            svg.text(x + 36, 52, "small", meanings[i]);
            x += 46 + 7 * meanings[i].length();
        }
    }

    private static void machine(Svg svg, Box box) throws XMLStreamException {
        boolean fits = box.machine().path("fits").asBoolean(true);
        svg.box(fits ? "machine" : "machine over", box.x(), box.y(), MACHINE_WIDTH, box.height());
        svg.text(
                box.x() + 12,
                box.y() + 20,
                "",
                shortened(box.machine().path("name").asText()));
        svg.text(
                box.x() + 12,
                box.y() + 36,
                "small",
                fits ? "cost " + number(box.machine().path("cost")) : "does not fit");
    }

    private static void tier(Svg svg, Chip chip) throws XMLStreamException {
        svg.begin("g");
        svg.element("title", chip.says());
        svg.box(chip.occupant() ? "occupant" : "tier", chip.x(), chip.y(), TIER_WIDTH, TIER_HEIGHT);
        svg.text(chip.x() + 8, chip.y() + 17, "", shortened(chip.tier()));
        svg.end();
    }

    /** Each instance to one of the other tier, on its machine if there is one. */
    private void talk(Svg svg, String tier, Map.Entry<String, JsonNode> affinity) {
        for (Chip from : chips) {
            if (!from.tier().equals(tier)) {
                continue;
            }
            List<Chip> others = chips.stream()
                    .filter(chip -> chip.tier().equals(affinity.getKey()))
                    .toList();
            Optional<Chip> near = others.stream()
                    .filter(chip -> chip.machine() == from.machine())
                    .findFirst();
            near.or(() -> others.stream().findFirst())
                    .ifPresent(to -> line(
                            svg,
                            near.isPresent() ? "talk" : "talk away",
                            from,
                            to,
                            -1,
                            "%s talks to %s: %s".formatted(tier, affinity.getKey(), number(affinity.getValue()))));
        }
    }

    /** From each that takes part in a term to the next. */
    private void disturb(Svg svg, int machine) {
        List<Chip> here =
                chips.stream().filter(chip -> chip.machine() == machine).toList();
        for (JsonNode term : boxes.get(machine).machine().path("interferenceTerms")) {
            List<Chip> part = new ArrayList<>();
            Map<String, Integer> used = new LinkedHashMap<>();
            for (JsonNode name : term.path("tiers")) {
                int skip = used.merge(name.asText(), 1, Integer::sum) - 1;
                here.stream()
                        .filter(chip -> chip.tier().equals(name.asText()))
                        .skip(skip)
                        .findFirst()
                        .ifPresent(part::add);
            }
            for (int i = 1; i < part.size(); i++) {
                String says = "%s: %s".formatted(term.path("of").asText(), number(term.path("factor")));
                line(svg, "disturb", part.get(i - 1), part.get(i), 1, says);
            }
        }
    }

    /** A line beside the tiers of a machine, left or right of them, or straight from machine to machine. */
    private static void line(Svg svg, String style, Chip from, Chip to, int side, String says) {
        int edge = side > 0 ? TIER_WIDTH : 0;
        int y1 = from.y() + TIER_HEIGHT / 2 + 3 * side;
        int y2 = to.y() + TIER_HEIGHT / 2 + 3 * side;
        String path = from.machine() == to.machine()
                ? "M%d %dC%d %d %d %d %d %d"
                        .formatted(
                                from.x() + edge,
                                y1,
                                from.x() + edge + side * PADDING,
                                y1,
                                to.x() + edge + side * PADDING,
                                y2,
                                to.x() + edge,
                                y2)
                : "M%d %dL%d %d".formatted(middle(from, to), y1, middle(to, from), y2);
        try {
            svg.path(style, path, says);
        } catch (XMLStreamException e) {
            throw new IllegalStateException("text cannot be written to memory", e);
        }
    }

    /** Returns where a line from {@code chip} to another machine begins: at the edge that is nearer. */
    private static int middle(Chip chip, Chip other) {
        return other.x() > chip.x() ? chip.x() + TIER_WIDTH : chip.x();
    }

    private static String number(JsonNode value) {
        return value.isNumber() ? String.format(Locale.ROOT, "%.2f", value.doubleValue()) : "-";
    }

    private static String shortened(String name) {
        return name.codePointCount(0, name.length()) <= LONGEST
                ? name
                : name.substring(0, name.offsetByCodePoints(0, LONGEST - 1)) + "…";
    }

    /** The few shapes there are. What XML has no character for becomes a question mark. */
    private record Svg(XMLStreamWriter out) {
        void begin(String name, String... attributes) throws XMLStreamException {
            out.writeStartElement(name);
            for (int i = 0; i < attributes.length; i += 2) {
                out.writeAttribute(attributes[i], attributes[i + 1]);
            }
        }

        void end() throws XMLStreamException {
            out.writeEndElement();
        }

        void element(String name, String text) throws XMLStreamException {
            begin(name);
            out.writeCharacters(clean(text));
            end();
        }

        void text(int x, int y, String style, String text) throws XMLStreamException {
            begin("text", "x", Integer.toString(x), "y", Integer.toString(y), "class", style);
            out.writeCharacters(clean(text));
            end();
        }

        void box(String style, int x, int y, int boxWidth, int boxHeight) throws XMLStreamException {
            begin(
                    "rect",
                    "class",
                    style,
                    "x",
                    Integer.toString(x),
                    "y",
                    Integer.toString(y),
                    "width",
                    Integer.toString(boxWidth),
                    "height",
                    Integer.toString(boxHeight),
                    "rx",
                    "6");
            end();
        }

        void path(String style, String path, String says) throws XMLStreamException {
            begin("path", "class", style, "d", path);
            element("title", says);
            end();
        }

        private static boolean isXml(int c) {
            return c == '\n' || (c >= 0x20 && c < 0xD800) || (c >= 0xE000 && c < 0xFFFE) || c > 0xFFFF;
        }

        private static String clean(String text) {
            StringBuilder clean = new StringBuilder();
            text.codePoints().map(c -> isXml(c) ? c : '?').forEach(clean::appendCodePoint);
            return clean.toString();
        }
    }
}
