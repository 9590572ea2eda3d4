package org.interference.yarn.benchmarks.prediction;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.interference.yarn.lab.stats.Quantiles;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Scale;
import org.interference.yarn.signal.Signal;

/** The measured co-runs of benchmarks/corun, whose README says what the columns are. Immutable. */
public final class CorunTable {
    private final List<Row> rows;
    private final Map<String, Double> aloneRates;

    /**
     * One task in one run.
     *
     * @param others the kinds beside it
     * @param levels of its signals during the run
     * @param cpus that levels of CPU are a share of; not a number if the node does not say
     */
    public record Row(
            String run,
            int repetition,
            String set,
            String kind,
            List<String> others,
            long atSeconds,
            double rate,
            InterferenceVector levels,
            double cpus) {
        public boolean alone() {
            return others.isEmpty();
        }

        String question() {
            return CorunTable.question(kind, others);
        }
    }

    /** Returns the name of what one kind suffers beside others, in whatever order these are. */
    static String question(String kind, List<String> others) {
        return kind + " beside " + String.join("+", others.stream().sorted().toList());
    }

    private CorunTable(List<Row> rows) {
        this.rows = List.copyOf(rows);
        Map<String, List<Double>> alone = rows.stream()
                .filter(Row::alone)
                .collect(Collectors.groupingBy(Row::kind, Collectors.mapping(Row::rate, Collectors.toList())));
        this.aloneRates = alone.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> Quantiles.median(entry.getValue())));
    }

    /**
     * Reads a table of measured co-runs, of a node that does not say how many CPUs it has.
     *
     * @throws IOException if {@code file} cannot be read, or is no such table
     */
    public static CorunTable read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        List<String> columns = Arrays.asList(lines.get(0).split(",", -1));
        List<Map<String, String>> cells = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] values = line.split(",", -1);
            if (values.length != columns.size()) {
                throw new IOException(
                        "%s: '%s' has %d cells, not %d".formatted(file, line, values.length, columns.size()));
            }
            Map<String, String> row = new LinkedHashMap<>();
            for (int i = 0; i < values.length; i++) {
                row.put(columns.get(i), values[i]);
            }
            cells.add(row);
        }
        return new CorunTable(cells.stream()
                .map(CorunTable::row)
                // Who did nothing at all has no finite slowdown.
                .filter(row -> row.rate() > 0)
                .toList());
    }

    private static Row row(Map<String, String> cells) {
        List<String> others = new ArrayList<>(Arrays.asList(cells.get("set").split("\\+")));
        others.remove(cells.get("kind"));
        EnumMap<Signal, Double> levels = new EnumMap<>(Signal.class);
        for (Signal signal : Signal.values()) {
            String level = cells.getOrDefault(signal.wireName(), "");
            if (!level.isEmpty()) {
                levels.put(signal, Double.parseDouble(level));
            }
        }
        return new Row(
                cells.get("run"),
                Integer.parseInt(cells.get("repetition")),
                cells.get("set"),
                cells.get("kind"),
                List.copyOf(others),
                Long.parseLong(cells.get("at_s")),
                Double.parseDouble(cells.get("work_per_s")),
                new InterferenceVector(levels),
                Double.NaN);
    }

    /** Returns the same, with levels as on a node of another size, which has so many CPUs. */
    CorunTable on(Scale scale, double cpus) {
        return new CorunTable(rows.stream()
                .map(row -> new Row(
                        row.run(),
                        row.repetition(),
                        row.set(),
                        row.kind(),
                        row.others(),
                        row.atSeconds(),
                        row.rate(),
                        scale.of(row.levels()),
                        cpus))
                .toList());
    }

    public List<Row> rows() {
        return rows;
    }

    public SortedSet<String> kinds() {
        return rows.stream().map(Row::kind).collect(Collectors.toCollection(TreeSet::new));
    }

    SortedSet<Integer> repetitions() {
        return rows.stream().map(Row::repetition).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the kind's median rate alone over the row's. */
    double slowdown(Row row) {
        return aloneRates.get(row.kind()) / row.rate();
    }

    /** Returns the median over these repetitions, by {@link Row#question}. */
    Map<String, Double> slowdowns(IntPredicate repetitions) {
        Map<String, List<Double>> values = rows.stream()
                .filter(row -> !row.alone() && repetitions.test(row.repetition()))
                .collect(Collectors.groupingBy(
                        Row::question, TreeMap::new, Collectors.mapping(this::slowdown, Collectors.toList())));
        Map<String, Double> medians = new TreeMap<>();
        values.forEach((question, slowdowns) -> medians.put(question, Quantiles.median(slowdowns)));
        return medians;
    }

    /**
     * Returns the median levels of each kind alone, in the repetitions that may be looked at: of six runs, one that was disturbed
     * is not to stand for the kind.
     */
    Map<String, InterferenceVector> profiles(IntPredicate repetitions) {
        Map<String, List<InterferenceVector>> alone = rows.stream()
                .filter(row -> row.alone() && repetitions.test(row.repetition()))
                .collect(Collectors.groupingBy(Row::kind, Collectors.mapping(Row::levels, Collectors.toList())));
        return alone.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> middle(entry.getValue())));
    }

    private static InterferenceVector middle(List<InterferenceVector> vectors) {
        EnumMap<Signal, Double> levels = new EnumMap<>(Signal.class);
        for (Signal signal : Signal.predictors()) {
            List<Double> known = vectors.stream()
                    .flatMap(vector -> vector.level(signal).stream().boxed())
                    .toList();
            if (!known.isEmpty()) {
                levels.put(signal, Quantiles.median(known));
            }
        }
        return new InterferenceVector(levels).demand();
    }
}
