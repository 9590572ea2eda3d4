package org.interference.yarn.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.interference.yarn.degradation.DegradationTable;
import org.interference.yarn.learn.ModelVersion;
import org.interference.yarn.predict.BoostedModel;
import org.interference.yarn.predict.Domain;
import org.interference.yarn.predict.Forest;
import org.interference.yarn.predict.LearnedPredictor;
import org.interference.yarn.predict.LinearModel;
import org.interference.yarn.predict.Model;
import org.interference.yarn.predict.PriorPredictor;
import org.interference.yarn.predict.Situation;

/** A model version as JSON, with the schema of its figures; what was written with another schema is refused. Pure. */
final class ModelJson {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int FORMAT = 2;
    /** Of a model that corrects another table than the published one: releases that knew only that must not take it for theirs. */
    private static final int FORMAT_WITH_TABLE = 3;
    /** Of a model that begins with the fair share, too, which earlier releases do not know. */
    private static final int FORMAT_WITH_SHARE = 4;

    private ModelJson() {}

    /** @throws IllegalArgumentException if the model is of a kind that cannot be written */
    static String write(ModelVersion version) {
        LearnedPredictor predictor = version.predictor();
        ObjectNode json = JSON.createObjectNode()
                .put("format", FORMAT)
                .put("number", version.number())
                .put("trainedAt", version.trainedAt().toString())
                .put("model", predictor.name())
                .put("examples", version.examples())
                .put("heldOut", version.heldOut())
                .put("error", version.error())
                .put("priorError", version.priorError());
        ObjectNode importance = json.putObject("importance");
        new TreeMap<>(version.importance()).forEach(importance::put);
        json.set("figures", JSON.valueToTree(Situation.NAMES));
        json.set("terms", JSON.valueToTree(LinearModel.NAMES));
        ObjectNode domain =
                json.putObject("domain").put("worst", predictor.domain().worst());
        put(domain.putArray("lowest"), predictor.domain().lowest());
        put(domain.putArray("highest"), predictor.domain().highest());
        ObjectNode kinds = domain.putObject("kinds");
        new TreeMap<>(predictor.domain().kinds()).forEach((kind, bounds) -> put(kinds.putArray(kind), bounds));
        Model model = predictor.model();
        if (model instanceof BoostedModel boosted) {
            ObjectNode forest =
                    json.putObject("forest").put("prior", boosted.base().prior());
            DegradationTable corrected = boosted.corrected().table();
            if (!corrected.equals(DegradationTable.PUBLISHED)) {
                json.put("format", FORMAT_WITH_TABLE);
                forest.put("degradation", corrected.toString());
            }
            if (boosted.base().share() > 0) {
                json.put("format", FORMAT_WITH_SHARE);
                forest.put("share", boosted.base().share());
            }
            if (!boosted.carries()) {
                forest.put("carries", false);
            }
            forest.set("roots", JSON.valueToTree(boosted.forest().roots()));
            forest.set("features", JSON.valueToTree(boosted.forest().features()));
            forest.set("next", JSON.valueToTree(boosted.forest().next()));
            put(forest.putArray("values"), boosted.forest().values());
        } else if (model instanceof LinearModel linear) {
            ObjectNode terms = json.putObject("linear");
            put(terms.putArray("capacities"), linear.capacities());
            put(terms.putArray("coefficients"), linear.coefficients());
        } else {
            throw new IllegalArgumentException("a model of " + model.getClass() + " cannot be written");
        }
        return json.toString();
    }

    /** What is not a number is no JSON number either. */
    static void put(ArrayNode array, double[] figures) {
        Arrays.stream(figures).forEach(figure -> {
            if (Double.isNaN(figure)) {
                array.addNull();
            } else {
                array.add(figure);
            }
        });
    }

    /** @throws IllegalArgumentException if {@code text} is not what {@link #write} makes with this schema */
    static ModelVersion read(String text) {
        JsonNode json;
        try {
            json = JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("it is not JSON", e);
        }
        int format = json.path("format").asInt();
        requireFormat(json, format == FORMAT_WITH_TABLE || format == FORMAT_WITH_SHARE ? format : FORMAT);
        boolean whole = json.path("figures").size() == Situation.WITHOUT_PARTS.size();
        requireSchema(json, "figures", whole ? Situation.WITHOUT_PARTS : Situation.NAMES);
        requireSchema(json, "terms", LinearModel.NAMES);
        JsonNode bounds = json.path("domain");
        Domain domain = Domain.of(
                bounds(bounds.path("lowest")),
                bounds(bounds.path("highest")),
                bounds.path("worst").asDouble(),
                kinds(bounds.path("kinds")));
        JsonNode trees = json.path("forest");
        JsonNode terms = json.path("linear");
        Model model = trees.isMissingNode()
                ? LinearModel.of(doubles(terms.path("capacities")), doubles(terms.path("coefficients")))
                : new BoostedModel(
                        corrected(trees),
                        // What an earlier release wrote has no share.
                        new BoostedModel.Base(
                                trees.path("prior").asDouble(),
                                trees.path("share").asDouble()),
                        Forest.of(
                                BoostedModel.INPUTS,
                                ints(trees.path("roots")),
                                ints(trees.path("features")),
                                ints(trees.path("next")),
                                doubles(trees.path("values"))),
                        trees.path("carries").asBoolean(true));
        Instant trainedAt;
        try {
            trainedAt = Instant.parse(json.path("trainedAt").asText());
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("it does not say when it was trained", e);
        }
        return new ModelVersion(
                json.path("number").asInt(),
                trainedAt,
                new LearnedPredictor(json.path("model").asText(), model, domain),
                json.path("examples").asInt(),
                json.path("heldOut").asInt(),
                json.path("error").asDouble(),
                json.path("priorError").asDouble(),
                importance(json.path("importance")));
    }

    /** What an earlier release wrote has none. */
    private static Map<String, double[]> kinds(JsonNode json) {
        Map<String, double[]> kinds = new HashMap<>();
        json.properties().forEach(kind -> kinds.put(kind.getKey(), doubles(kind.getValue())));
        return kinds;
    }

    /** What a release did not write it does not have. */
    private static Map<String, Double> importance(JsonNode json) {
        Map<String, Double> importance = new HashMap<>();
        json.properties()
                .forEach(figure ->
                        importance.put(figure.getKey(), figure.getValue().asDouble()));
        return importance;
    }

    private static PriorPredictor corrected(JsonNode trees) {
        return new PriorPredictor(
                DegradationTable.parse(trees.path("degradation").asText(DegradationTable.PUBLISHED_NAME)));
    }

    static void requireFormat(JsonNode json, int expected) {
        if (json.path("format").asInt() != expected) {
            throw new IllegalArgumentException(
                    "its format is '%s', not %d".formatted(json.path("format").asText(), expected));
        }
    }

    static void requireSchema(JsonNode json, String name, List<String> expected) {
        if (!json.path(name).equals(JSON.valueToTree(expected))) {
            throw new IllegalArgumentException("its %s are not those of this release".formatted(name));
        }
    }

    static double[] doubles(JsonNode array) {
        double[] figures = new double[array.size()];
        for (int i = 0; i < figures.length; i++) {
            figures[i] = array.get(i).isNumber() ? array.get(i).asDouble() : Double.NaN;
        }
        return figures;
    }

    /** What an earlier release wrote has none of the last figures. */
    private static double[] bounds(JsonNode array) {
        double[] figures = doubles(array);
        if (figures.length != Situation.WITHOUT_PARTS.size()) {
            return figures;
        }
        double[] all = Arrays.copyOf(figures, Situation.NAMES.size());
        Arrays.fill(all, figures.length, all.length, Double.NaN);
        return all;
    }

    private static int[] ints(JsonNode array) {
        int[] figures = new int[array.size()];
        for (int i = 0; i < figures.length; i++) {
            figures[i] = array.get(i).asInt();
        }
        return figures;
    }
}
