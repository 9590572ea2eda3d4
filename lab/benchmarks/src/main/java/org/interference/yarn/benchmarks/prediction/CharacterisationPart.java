package org.interference.yarn.benchmarks.prediction;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.interference.yarn.learn.cluster.Characterisation;
import org.interference.yarn.learn.cluster.Characterisation.Point;
import org.interference.yarn.learn.cluster.Characteriser;
import org.interference.yarn.signal.InterferenceVector;

/** Whether clusters of the vectors measured alone tell kinds apart that stress a single resource. */
final class CharacterisationPart {
    /** What each of them stresses. */
    private static final Map<String, String> RESOURCES = Map.of(
            "cpu-integer", "cpu",
            "cpu-matrix", "cpu",
            "cpu-light", "cpu",
            "memory-stream", "memory",
            "cache-chase", "cache",
            "disk-sequential", "disk",
            "disk-random", "disk",
            "disk-write", "disk",
            "network-stream", "network",
            "network-request", "network");

    /** Without counters of caches and memory these are the same to the machine: a CPU in use. */
    private static final Map<String, String> WITHOUT_MEMORY_COUNTERS = Map.of("memory", "cpu", "cache", "cpu");

    private CharacterisationPart() {}

    static void measure(CorunTable table, ObjectNode results) {
        SortedMap<String, InterferenceVector> vectors = new TreeMap<>();
        table.rows().stream()
                .filter(row -> row.alone() && RESOURCES.containsKey(row.kind()))
                .forEach(row -> vectors.put(row.kind() + "/" + row.run(), row.levels()));
        Optional<Characterisation> found = Characteriser.of(vectors, 0);
        if (found.isEmpty()) {
            return;
        }
        ObjectNode json = results.putObject("characterisation");
        json.put("vectors", vectors.size());
        json.put("clusters", found.get().clusters().size());
        json.put("signals", found.get().signals().stream().map(Enum::name).collect(Collectors.joining(" ")));
        PredictionFigures.put(
                json,
                "silhouette",
                found.get().choices().stream()
                        .filter(choice ->
                                choice.clusters() == found.get().clusters().size())
                        .findFirst()
                        .orElseThrow()
                        .silhouette());
        List<Point> points = found.get().points();
        PredictionFigures.put(json, "purity", purity(points, Point::cluster, RESOURCES::get));
        PredictionFigures.put(json, "purity_hierarchical", purity(points, Point::branch, RESOURCES::get));
        PredictionFigures.put(json, "purity_without_memory_counters", purity(points, Point::cluster, kind -> {
            String resource = RESOURCES.get(kind);
            return WITHOUT_MEMORY_COUNTERS.getOrDefault(resource, resource);
        }));
    }

    /** Returns the share of points that are of the resource which most points of their cluster are of. */
    private static double purity(List<Point> points, ToIntFunction<Point> cluster, UnaryOperator<String> resource) {
        Collection<List<String>> clusters = points.stream()
                .collect(Collectors.groupingBy(
                        cluster::applyAsInt,
                        Collectors.mapping(
                                point -> resource.apply(
                                        point.key().substring(0, point.key().indexOf('/'))),
                                Collectors.toList())))
                .values();
        long most = clusters.stream()
                .mapToLong(
                        members -> members.stream()
                                .collect(Collectors.groupingBy(member -> member, Collectors.counting()))
                                .values()
                                .stream()
                                .max(Long::compare)
                                .orElse(0L))
                .sum();
        return (double) most / points.size();
    }
}
