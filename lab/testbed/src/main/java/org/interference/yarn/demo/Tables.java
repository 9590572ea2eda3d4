package org.interference.yarn.demo;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.interference.yarn.demo.Answers.Container;
import org.interference.yarn.demo.Answers.Decision;
import org.interference.yarn.demo.Answers.Node;
import org.interference.yarn.demo.Answers.Profile;
import org.interference.yarn.demo.Answers.RankedNode;
import org.interference.yarn.demo.Answers.Reading;
import org.interference.yarn.demo.Answers.Spread;
import org.interference.yarn.signal.Signal;

/** The plugin's answers as tables of text. Pure: the same answers give the same text. */
final class Tables {
    /** The signals in the order of the REST API. */
    private static final List<String> SIGNALS =
            Stream.of(Signal.values()).map(Signal::wireName).toList();

    private static final int NODES_SHOWN = 3;

    private final Map<String, String> shortNames = new TreeMap<>();

    /** All nodes share one host name; the tables call them nm1, nm2, ... in the order of {@code nodes}. */
    Tables(List<Node> nodes) {
        nodes.stream().map(Node::node).sorted().forEach(this::name);
    }

    String nodes(List<Node> nodes) {
        List<ColumnData<Node>> columns = new ArrayList<>(List.of(
                text("node", node -> name(node.node())),
                text("address", Node::node),
                text("report", node -> node.fresh() ? "fresh" : "stale"),
                number("age ms", node -> count(node.ageMs())),
                number("containers", node -> count(node.containers()))));
        SIGNALS.forEach(signal ->
                columns.add(number(signal, node -> fraction(node.levels().get(signal)))));
        return table(nodes.stream().sorted(Comparator.comparing(Node::node)).toList(), columns);
    }

    String containers(List<Container> containers) {
        List<ColumnData<Container>> columns = new ArrayList<>(List.of(
                text("task", Container::task),
                text("container", container -> shortId(container.container())),
                text("node", container -> name(container.node())),
                number("seen s", container -> seconds(container.observedMs()))));
        SIGNALS.forEach(signal -> columns.add(
                number(signal, container -> level(container.signals().get(signal)))));
        Comparator<Container> order = Comparator.comparing(Container::task, Comparator.nullsLast(String::compareTo))
                .thenComparing(Container::container);
        return table(containers.stream().sorted(order).toList(), columns);
    }

    /** For each signal: who measured it, of how many containers, and why it is missing where it is. */
    String sources(List<Container> containers) {
        List<SignalSource> rows = new ArrayList<>();
        for (String signal : SIGNALS) {
            Map<List<String>, Long> kinds = containers.stream()
                    .map(container -> container.signals().get(signal))
                    .filter(Objects::nonNull)
                    .collect(Collectors.groupingBy(Tables::kind, LinkedHashMap::new, Collectors.counting()));
            kinds.forEach((kind, count) -> rows.add(new SignalSource(signal, kind.get(0), kind.get(1), count)));
        }
        return table(
                rows,
                List.of(
                        text("signal", SignalSource::signal),
                        text("source", SignalSource::source),
                        number("containers", row -> count(row.containers())),
                        text("status", SignalSource::status)));
    }

    private static List<String> kind(Reading reading) {
        String status = "unavailable".equals(reading.status())
                ? reading.status() + ": " + reading.reason()
                : String.valueOf(reading.status());
        return List.of(String.valueOf(reading.source()), status);
    }

    private record SignalSource(String signal, String source, String status, long containers) {}

    String profiles(List<Profile> profiles) {
        List<ColumnData<Profile>> columns = new ArrayList<>(List.of(
                text("profile", Profile::key),
                number("samples", profile -> count(profile.samples())),
                number("run time s", profile -> spread(profile.runTimeSeconds(), "%.1f"))));
        SIGNALS.forEach(signal ->
                columns.add(number(signal, profile -> spread(profile.signals().get(signal), "%.2f"))));
        return table(
                profiles.stream()
                        // The others stand in for kinds that are not known, and there are none here.
                        .filter(profile -> Set.of("tag", "name").contains(profile.level()))
                        .sorted(Comparator.comparing(Profile::key))
                        .toList(),
                columns);
    }

    String decisions(List<Decision> decisions) {
        return table(
                decisions.stream()
                        .sorted(Comparator.comparingLong(Decision::sequence))
                        .toList(),
                List.of(
                        number("#", decision -> count(decision.sequence())),
                        text("task", Decision::task),
                        text("container", decision -> shortId(decision.container())),
                        text("chosen", decision -> name(decision.chosen())),
                        text("reason", Decision::reason),
                        text("best nodes: gain (own slowdown, neighbours lose)", this::ranking)));
    }

    private String ranking(Decision decision) {
        if (decision.nodes().isEmpty()) {
            return decision.explanation();
        }
        return decision.nodes().stream().limit(NODES_SHOWN).map(this::ranked).collect(Collectors.joining(", "));
    }

    private String ranked(RankedNode node) {
        if (node.gain() == null) {
            return name(node.node()) + " " + node.reason();
        }
        return String.format(
                Locale.ROOT,
                "%s %.2f (%s, %s)",
                name(node.node()),
                node.gain(),
                fraction(node.ownSlowdown()),
                fraction(node.neighboursLose()));
    }

    /** Names a node not met before, too: a decision may speak of one that has gone. */
    private String name(String address) {
        return address == null ? "" : shortNames.computeIfAbsent(address, key -> "nm" + (shortNames.size() + 1));
    }

    /** {@code container_1763_0007_01_000002} is 0007_000002 among the containers of one cluster. */
    private static String shortId(String container) {
        if (container == null) {
            return "";
        }
        String[] parts = container.split("_", -1);
        return parts.length < 4 ? container : parts[parts.length - 3] + "_" + parts[parts.length - 1];
    }

    private static String level(Reading reading) {
        if (reading == null) {
            return "";
        }
        Double level = reading.mean() == null ? reading.level() : reading.mean();
        if (level == null) {
            return "-";
        }
        return ("apportioned".equals(reading.status()) ? "~" : "") + fraction(level);
    }

    private static String spread(Spread spread, String format) {
        if (spread == null || spread.mean() == null) {
            return "";
        }
        String mean = String.format(Locale.ROOT, format, spread.mean());
        return spread.deviation() == null ? mean : mean + " ±" + String.format(Locale.ROOT, format, spread.deviation());
    }

    private static String fraction(Double value) {
        return value == null ? "" : String.format(Locale.ROOT, "%.2f", value);
    }

    private static String seconds(Long millis) {
        return millis == null ? "" : String.format(Locale.ROOT, "%.1f", millis / 1000.0);
    }

    private static String count(Number number) {
        return number == null ? "" : String.valueOf(number.longValue());
    }

    private static <T> ColumnData<T> text(String header, Function<T, String> cell) {
        return column(header, HorizontalAlign.LEFT, cell);
    }

    private static <T> ColumnData<T> number(String header, Function<T, String> cell) {
        return column(header, HorizontalAlign.RIGHT, cell);
    }

    private static <T> ColumnData<T> column(String header, HorizontalAlign align, Function<T, String> cell) {
        return new Column()
                .header(header)
                .headerAlign(align)
                .dataAlign(align)
                .maxWidth(120)
                .with(row -> {
                    String content = cell.apply(row);
                    return content == null ? "" : content;
                });
    }

    private static <T> String table(List<T> rows, List<ColumnData<T>> columns) {
        return AsciiTable.getTable(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS_NO_OUTSIDE_BORDER, rows, columns);
    }
}
