package org.interference.yarn.benchmarks.prediction;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.interference.yarn.benchmarks.MachineDescription;
import org.interference.yarn.lab.stats.Interval;
import org.openjdk.jmh.runner.RunnerException;

/** Measures how well slowdowns are predicted, against a table of co-runs; bin/lab prediction runs it. */
public final class MeasurePrediction {
    /** What each figure may be at most. */
    private static final Map<String, Double> BOUNDS = new LinkedHashMap<>();

    /** And at least: of an interval that nine in ten are to fall into. */
    private static final Map<String, Double> LEAST = Map.of("/composed/coverage_90", 0.88, "/exact/coverage_90", 0.88);

    static {
        for (String learntFrom : List.of("/composed", "/exact")) {
            BOUNDS.put(learntFrom + "/seen_pairs_over_memory", 1.15);
            BOUNDS.put(learntFrom + "/unseen_pairs", 0.10);
            BOUNDS.put(learntFrom + "/unseen_tasks", 0.13);
            BOUNDS.put(learntFrom + "/regret_above_memory", 0.03);
            BOUNDS.put(learntFrom + "/jobs_to_learn", 50.0);
            BOUNDS.put(learntFrom + "/coverage_90", 0.92);
        }
        BOUNDS.put("/heterogeneous/unseen_tasks", 0.15);
        BOUNDS.put("/retrain_seconds_10k", 10.0);
        BOUNDS.put("/hot_path_ns", 100.0);
    }

    private static final List<String> ERRORS = List.of("seen_pairs", "unseen_pairs", "unseen_tasks");

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private MeasurePrediction() {}

    /** Usage: {@code MeasurePrediction TABLE FILE [HOSTS]}. */
    public static void main(String[] args) throws IOException, RunnerException {
        if (args.length < 2) {
            throw new IllegalArgumentException(
                    "two arguments are needed, and there may be a third: TABLE FILE [HOSTS]");
        }
        Path source = Path.of(args[0]);
        CorunTable table = MeasuredHost.readCoruns(source);
        ObjectNode document = JSON.createObjectNode();
        document.put("name", "prediction");
        document.put("command", "bin/lab prediction");
        document.set("machine", JSON.valueToTree(MachineDescription.describe()));
        document.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        ObjectNode data = document.putObject("data");
        data.put("kinds", table.kinds().size());
        data.put("rows", table.rows().size());
        data.put("repetitions", table.repetitions().size());
        ObjectNode results = document.putObject("results");
        LabelPart.measure(table, results);
        AccuracyPart.measure(table, results);
        RankPart.measure(table, results);
        compare(results);
        CharacterisationPart.measure(table, results);
        AdaptationPart.measure(table, results);
        if (args.length > 2) {
            HeterogeneousPart.measure(Path.of(args[2]), results);
        }
        CostPart.measure(table, results);
        HotPathPart.measure(source, results);
        Files.writeString(Path.of(args[1]), JSON.writeValueAsString(document) + "\n");
        printBounds(results);
    }

    /** Puts beside each contestant how it does over who remembers the other repetitions, and the best of Smile's as {@code smile}. */
    private static void compare(ObjectNode results) {
        JsonNode memory = results.path("memory");
        ObjectNode found = null;
        for (Contestant contestant : Contestant.values()) {
            ObjectNode json = results.withObject("/" + AccuracyPart.lowerCase(contestant));
            PredictionFigures.put(
                    json,
                    "seen_pairs_over_memory",
                    json.path("seen_pairs").asDouble()
                            / memory.path("seen_pairs").asDouble());
            PredictionFigures.put(
                    json,
                    "regret_above_memory",
                    json.path("regret").asDouble() - memory.path("regret").asDouble());
            if (contestant.isSmiles() && (found == null || error(json) < error(found))) {
                found = json.deepCopy().put("contestant", AccuracyPart.lowerCase(contestant));
            }
        }
        ObjectNode best = found;
        ERRORS.forEach(split -> putDifference(split, results.path("exact"), best));
        results.set("smile", best);
    }

    /** Puts how much smaller its errors of a split are than those of ours by the same labels, as a mean over kinds with its 95 % interval. */
    private static void putDifference(String split, JsonNode ours, ObjectNode smiles) {
        String byKind = split + "_by_kind";
        List<Double> differences = new ArrayList<>();
        ours.path(byKind)
                .properties()
                .forEach(kind -> differences.add(kind.getValue().asDouble()
                        - smiles.path(byKind).path(kind.getKey()).asDouble()));
        Interval interval = Interval.of(
                differences.stream().mapToDouble(Double::doubleValue).toArray());
        ObjectNode json = smiles.putObject(split + "_less_than_exact");
        PredictionFigures.put(json, "mean", interval.mean());
        PredictionFigures.put(json, "low", interval.low());
        PredictionFigures.put(json, "high", interval.high());
    }

    /** Returns the mean of its errors. */
    private static double error(JsonNode contestant) {
        return ERRORS.stream()
                .mapToDouble(split -> contestant.path(split).asDouble())
                .average()
                .orElseThrow();
    }

    private static void printBounds(JsonNode results) {
        BOUNDS.forEach((name, bound) -> {
            if (results.at(name).isMissingNode()) {
                return;
            }
            double figure = results.at(name).asDouble();
            boolean kept = figure <= bound && figure >= LEAST.getOrDefault(name, Double.NEGATIVE_INFINITY);
            System.out.printf(
                    "%-32s %10.4g   at most %-6.4g %s%n",
                    name.substring(1).replace('/', '.'), figure, bound, kept ? "" : "MISSED");
        });
    }
}
