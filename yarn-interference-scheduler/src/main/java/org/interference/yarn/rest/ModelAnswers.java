package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.interference.yarn.learn.Accuracy;
import org.interference.yarn.learn.ModelVersion;
import org.interference.yarn.learn.OnlineAdaptiveModule;
import org.interference.yarn.learn.TrainingRound;
import org.interference.yarn.predict.Calibration;

/** Who predicts, and how well. */
final class ModelAnswers {
    private final Sources sources;
    private final Viewer viewer;

    ModelAnswers(Sources sources, Viewer viewer) {
        this.sources = sources;
        this.viewer = viewer;
    }

    ObjectNode model() {
        OnlineAdaptiveModule.Report report = sources.learnt().model().get();
        ObjectNode model = Json.object();
        model.put("predictor", sources.placement().accounts().predictor());
        model.put(
                "champion",
                report.champion().map(version -> version.predictor().name()).orElse("none"));
        report.champion().ifPresent(version -> model.put("version", version.number()));
        ObjectNode errors = model.putObject("liveErrors");
        report.error().ifPresent(error -> errors.put("composed", Json.rounded(error)));
        report.priorError().ifPresent(error -> errors.put("prior", Json.rounded(error)));
        report.learnedError().ifPresent(error -> errors.put("champion", Json.rounded(error)));
        report.cover().ifPresent(cover -> model.put("intervalCover", Json.rounded(cover)));
        model.put("observed", report.observed())
                .put("rows", report.training())
                .put("heldOut", report.heldOut())
                .put("drifts", report.drifts());
        // In whose shares profiles are; what no node tells yet is left out.
        ObjectNode reference = model.putObject("reference");
        sources.ingest().reference().capacities().told().forEach(reference::put);
        ArrayNode versions = model.putArray("versions");
        report.versions().forEach(version -> describe(versions.addObject(), version));
        ArrayNode rounds = model.putArray("rounds");
        report.rounds().forEach(round -> describe(rounds.addObject(), round));
        ArrayNode history = model.putArray("history");
        report.history().forEach(hour -> describe(history.addObject(), hour));
        describe(model.putObject("cluster"), report.calibration().cluster());
        ObjectNode kinds = model.putObject("kinds");
        // In the order of what is shown: that of the kinds' own names would tell of names that are not.
        SortedMap<String, Calibration.Correction> shown = new TreeMap<>();
        report.calibration().kinds().forEach((kind, correction) -> shown.put(viewer.key(kind), correction));
        shown.forEach((kind, correction) -> describe(kinds.putObject(kind), correction));
        return model;
    }

    private static void describe(ObjectNode json, Accuracy.Hour hour) {
        json.put("from", hour.from().toString())
                .put("predictions", hour.predictions())
                .put("meanError", Json.rounded(hour.absolute() / hour.weight()))
                .put("bias", Json.rounded(hour.signed() / hour.weight()))
                .put("priorMeanError", Json.rounded(hour.prior() / hour.weight()));
    }

    private static void describe(ObjectNode json, ModelVersion version) {
        json.put("version", version.number())
                .put("model", version.predictor().name())
                .put("trainedAt", version.trainedAt().toString())
                .put("rows", version.examples())
                .put("heldOut", version.heldOut())
                .put("error", Json.rounded(version.error()))
                .put("priorError", Json.rounded(version.priorError()));
        ObjectNode importance = json.putObject("importance");
        version.importance().entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .forEach(figure -> importance.put(figure.getKey(), Json.rounded(figure.getValue())));
    }

    private static void describe(ObjectNode json, TrainingRound round) {
        json.put("at", round.at().toString())
                .put("trigger", round.trigger().name())
                .put("rows", round.examples())
                .put("heldOut", round.heldOut());
        ObjectNode errors = json.putObject("errors");
        new TreeMap<>(round.errors()).forEach((name, error) -> errors.put(name, Json.rounded(error)));
        round.version().ifPresent(version -> json.put("version", version));
        json.put("reason", round.reason());
    }

    private static void describe(ObjectNode json, Calibration.Correction correction) {
        json.put("exponentOfPrior", Json.rounded(correction.prior()))
                .put("exponentOfModel", Json.rounded(correction.learned()))
                .put("usesModel", correction.usesLearned())
                .put("blindToMemory", correction.blindToMemory());
        correction.error().ifPresent(error -> json.put("error", Json.rounded(error)));
        correction.spread().ifPresent(spread -> json.put("spread", Json.rounded(spread)));
        correction.margin().ifPresent(margin -> json.put("margin", Json.rounded(margin)));
    }
}
