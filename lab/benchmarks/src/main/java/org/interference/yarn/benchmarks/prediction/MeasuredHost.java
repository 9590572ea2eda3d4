package org.interference.yarn.benchmarks.prediction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.SortedSet;
import java.util.stream.Stream;
import org.interference.yarn.lab.stats.Quantiles;
import org.interference.yarn.signal.Capacities;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Scale;
import org.interference.yarn.signal.Signal;

/** What was measured on a host of one size, by corun/forecast.py. Immutable. */
public record MeasuredHost(String name, String started, Capacities capacities, CorunTable table) {
    private static final String FIRST = "small";

    /**
     * Reads the hosts in {@code folder}, each in a folder of its own.
     *
     * @throws IOException if there are not at least two
     */
    public static List<MeasuredHost> readAll(Path folder) throws IOException {
        List<Path> folders;
        try (Stream<Path> each = Files.list(folder)) {
            folders = each.filter(one -> Files.exists(one.resolve("corun.csv")))
                    .sorted()
                    .toList();
        }
        if (folders.size() < 2) {
            throw new IOException("at least two hosts are needed, and " + folder + " has " + folders);
        }
        MeasuredHost[] hosts = new MeasuredHost[folders.size()];
        for (int i = 0; i < hosts.length; i++) {
            hosts[i] = read(folders.get(i));
        }
        return List.of(hosts);
    }

    /** Returns whose profiles forecasts start from: the smallest one, if it is among {@code hosts}. */
    public static MeasuredHost first(List<MeasuredHost> hosts) {
        return hosts.stream()
                .filter(host -> host.name().equals(FIRST))
                .findFirst()
                .orElse(hosts.get(0));
    }

    private static MeasuredHost read(Path folder) throws IOException {
        JsonNode description =
                new ObjectMapper().readTree(folder.resolve("machine.json").toFile());
        JsonNode node = description.path("node");
        return new MeasuredHost(
                folder.getFileName().toString(),
                description.path("started").asText(),
                new Capacities(
                        quota(node),
                        Double.NaN,
                        node.path("read_bytes_per_s").asDouble(),
                        node.path("network_bits_per_s").asDouble()),
                CorunTable.read(folder.resolve("corun.csv")).on(Scale.ONE, quota(node)));
    }

    private static double quota(JsonNode node) {
        return node.path("cpu_quota_us").asDouble() / node.path("cpu_period_us").asDouble();
    }

    /**
     * Reads the table of bin/lab corun, whose collector took the node for the whole machine, with levels as one has them that is told its quota of
     * CPU, as each node of a cluster is.
     *
     * @throws IOException if there is no such table, or no machine.json beside it
     */
    static CorunTable readCoruns(Path file) throws IOException {
        JsonNode description =
                new ObjectMapper().readTree(file.resolveSibling("machine.json").toFile());
        Capacities machine =
                new Capacities(description.path("machine").path("cpus").asDouble(), Double.NaN, Double.NaN, Double.NaN);
        Capacities node = new Capacities(quota(description.path("node")), Double.NaN, Double.NaN, Double.NaN);
        return CorunTable.read(file).on(Scale.between(machine, node), node.cpus());
    }

    /** Returns the kinds that ran on it. */
    public SortedSet<String> kinds() {
        return table.kinds();
    }

    /** Returns the windows in which a kind was alone. */
    public List<CorunTable.Row> alone(String kind) {
        return table.rows().stream()
                .filter(row -> row.alone() && row.kind().equals(kind))
                .toList();
    }

    /** Returns the median rate of a kind alone. */
    public double rate(String kind) {
        return Quantiles.median(alone(kind).stream().map(CorunTable.Row::rate).toList());
    }

    /** Returns the median levels of a kind alone, of all signals, as shares of this host. */
    public InterferenceVector profile(String kind) {
        EnumMap<Signal, Double> levels = new EnumMap<>(Signal.class);
        for (Signal signal : Signal.values()) {
            List<Double> known = alone(kind).stream()
                    .flatMap(row -> row.levels().level(signal).stream().boxed())
                    .toList();
            if (!known.isEmpty()) {
                levels.put(signal, Quantiles.median(known));
            }
        }
        return new InterferenceVector(levels);
    }
}
