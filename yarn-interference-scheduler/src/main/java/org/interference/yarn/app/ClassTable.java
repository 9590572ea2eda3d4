package org.interference.yarn.app;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.interference.yarn.learn.cluster.Characterisation;
import org.interference.yarn.learn.cluster.Characteriser;
import org.interference.yarn.signal.InterferenceClass;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/** What files of IntP's lines say of the tasks that they were recorded of, as a text of columns. Pure. */
final class ClassTable {
    private static final List<Signal> SIGNALS =
            List.of(Signal.NETP, Signal.NETS, Signal.BLK, Signal.MBW, Signal.LLCMR, Signal.LLOCC, Signal.CPU);
    private static final String ABSENT = "-";

    private ClassTable() {}

    /**
     * Returns a row for each file: the class of each signal (thesis, Table 6.1) and the number of its cluster; and, below, the clusters.
     *
     * @param means levels by file, at least one
     * @param wanted how many clusters; 0: as many as look best
     */
    static String of(SortedMap<String, InterferenceVector> means, int wanted) {
        Optional<Characterisation> alike = Characteriser.of(means, wanted);
        Map<String, Integer> clusters = alike.map(found -> found.points().stream()
                        .collect(Collectors.toMap(Characterisation.Point::key, Characterisation.Point::cluster)))
                .orElse(Map.of());
        List<List<String>> rows = new ArrayList<>();
        List<String> heading = new ArrayList<>(List.of("file"));
        SIGNALS.forEach(signal -> heading.add(signal.wireName()));
        heading.add("cluster");
        rows.add(heading);
        means.forEach((file, mean) -> {
            List<String> row = new ArrayList<>(List.of(file));
            SIGNALS.forEach(signal -> row.add(name(mean.level(signal))));
            row.add(clusters.containsKey(file) ? Integer.toString(clusters.get(file)) : ABSENT);
            rows.add(row);
        });
        return text(rows)
                + alike.map(ClassTable::listed)
                        .orElse(
                                "No clusters: these take three different files at least, with two signals in all of them.\n");
    }

    private static String listed(Characterisation found) {
        return IntStream.range(0, found.clusters().size())
                .mapToObj(i -> "cluster %d: %s, %d of %d files\n"
                        .formatted(
                                i,
                                found.clusters().get(i).name(),
                                found.clusters().get(i).size(),
                                found.points().size()))
                .collect(Collectors.joining());
    }

    private static String name(OptionalDouble level) {
        return level.isEmpty()
                ? ABSENT
                : InterferenceClass.of(level.getAsDouble()).name().toLowerCase(Locale.ROOT);
    }

    private static String text(List<List<String>> rows) {
        List<Integer> widths = IntStream.range(0, rows.get(0).size())
                .mapToObj(column -> Collections.max(
                        rows.stream().map(row -> row.get(column).length()).toList()))
                .toList();
        return rows.stream()
                .map(row -> IntStream.range(0, row.size())
                        .mapToObj(column -> row.get(column)
                                + " "
                                        .repeat(widths.get(column)
                                                - row.get(column).length()))
                        .collect(Collectors.joining("  "))
                        .stripTrailing())
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
