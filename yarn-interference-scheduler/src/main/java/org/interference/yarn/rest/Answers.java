package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.learn.FinishedTask;
import org.interference.yarn.learn.ModelVersion;
import org.interference.yarn.learn.OnlineAdaptiveModule;
import org.interference.yarn.learn.TrainingRound;
import org.interference.yarn.learn.cluster.Characterisation;
import org.interference.yarn.place.Decision;
import org.interference.yarn.place.Differences;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.Verdict;
import org.interference.yarn.predict.Calibration;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.Mixture;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;

/** The JSON of each path, made from {@link Sources} at one instant. */
final class Answers {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Sources sources;
    private final Instant now;

    Answers(Sources sources) {
        this.sources = sources;
        this.now = sources.clock().instant();
    }

    ObjectNode nodes() {
        SortedSet<String> names = new TreeSet<>(sources.clusterNodes().get());
        sources.ingest().all().forEach(sample -> names.add(sample.node()));
        ArrayNode nodes = JSON.createArrayNode();
        for (String name : names) {
            ObjectNode node = nodes.addObject().put("node", name);
            node.put("fresh", sources.ingest().fresh(name, now).isPresent());
            node.put("pending", sources.placement().unmeasured(name, now));
            Optional<NodeSample> newest = sources.ingest().newest(name);
            if (newest.isEmpty()) {
                node.put("reason", "no report yet: is the NodeManager plugin configured there?");
                continue;
            }
            NodeSample sample = newest.get();
            node.put("ageMs", Duration.between(sample.receivedAt(), now).toMillis());
            node.put("sequence", sample.report().sequence());
            node.put("clockSkewSeconds", sample.clockSkew().toSeconds());
            node.put("containers", sample.running().size());
            node.put("frozen", sample.frozen());
            ObjectNode levels = node.putObject("levels");
            sample.load().levels().forEach((signal, level) -> levels.put(signal.wireName(), rounded(level)));
        }
        return JSON.createObjectNode().set("nodes", nodes);
    }

    ObjectNode containers() {
        ArrayNode containers = JSON.createArrayNode();
        LinkedHashSet<String> listed = new LinkedHashSet<>();
        for (FinishedTask finished : sources.finished().newest()) {
            listed.add(finished.completed().container());
            Sources.Task task = new Sources.Task(
                    finished.completed().application(),
                    finished.completed().task(),
                    finished.completed().applicationMaster());
            ObjectNode container = containers.addObject();
            describe(
                    container,
                    finished.completed().container(),
                    finished.completed().node(),
                    Optional.of(task));
            container
                    .put("state", "COMPLETED")
                    .put("outcome", finished.outcome().name());
            finished.report().ifPresent(report -> measure(container, report));
        }
        for (NodeSample sample : sources.ingest().all()) {
            for (ContainerReport report : sample.report().containers()) {
                if (listed.add(report.container())) {
                    ObjectNode container = containers.addObject();
                    describe(
                            container,
                            report.container(),
                            sample.node(),
                            sources.tasks().apply(report.container()));
                    container.put("state", report.ended() ? "COMPLETED" : "RUNNING");
                    measure(container, report);
                }
            }
        }
        return JSON.createObjectNode().set("containers", containers);
    }

    ObjectNode profiles() {
        ArrayNode profiles = JSON.createArrayNode();
        sources.profiles().all().stream()
                .sorted(Comparator.comparing(
                                (TaskProfile profile) -> profile.key().level())
                        .thenComparing(profile -> profile.key().text()))
                .forEach(profile -> describe(profiles.addObject(), profile));
        return JSON.createObjectNode().set("profiles", profiles);
    }

    ObjectNode clusters() {
        ObjectNode answer = JSON.createObjectNode();
        ArrayNode clusters = answer.putArray("clusters");
        ArrayNode points = answer.putArray("points");
        ArrayNode choices = answer.putArray("choices");
        sources.characterisation().get().ifPresent(found -> {
            for (Characterisation.Cluster cluster : found.clusters()) {
                ObjectNode json = clusters.addObject().put("size", cluster.size());
                ObjectNode signals = json.putObject("signals");
                found.signals().forEach(signal -> signals.putObject(signal.wireName())
                        .put("mean", rounded(cluster.centre().get(signal)))
                        .put("class", lowerCase(cluster.classes().get(signal))));
            }
            found.points().forEach(point -> points.addObject()
                    .put("key", point.key())
                    .put("x", rounded(point.x()))
                    .put("y", rounded(point.y()))
                    .put("cluster", point.cluster())
                    .put("branch", point.branch()));
            found.choices().forEach(choice -> choices.addObject()
                    .put("clusters", choice.clusters())
                    .put("within", rounded(choice.within()))
                    .put("silhouette", rounded(choice.silhouette())));
        });
        return answer;
    }

    ObjectNode model() {
        OnlineAdaptiveModule.Report report = sources.model().get();
        ObjectNode model = JSON.createObjectNode();
        model.put("predictor", sources.placement().health().predictor());
        model.put(
                "champion",
                report.champion().map(version -> version.predictor().name()).orElse("none"));
        report.champion().ifPresent(version -> model.put("version", version.number()));
        ObjectNode errors = model.putObject("liveErrors");
        report.error().ifPresent(error -> errors.put("composed", rounded(error)));
        report.priorError().ifPresent(error -> errors.put("prior", rounded(error)));
        report.learnedError().ifPresent(error -> errors.put("champion", rounded(error)));
        model.put("observed", report.observed())
                .put("rows", report.training())
                .put("heldOut", report.heldOut())
                .put("drifts", report.drifts());
        ArrayNode versions = model.putArray("versions");
        report.versions().forEach(version -> describe(versions.addObject(), version));
        ArrayNode rounds = model.putArray("rounds");
        report.rounds().forEach(round -> describe(rounds.addObject(), round));
        describe(model.putObject("cluster"), report.calibration().cluster());
        ObjectNode kinds = model.putObject("kinds");
        new TreeMap<>(report.calibration().kinds())
                .forEach((kind, correction) -> describe(kinds.putObject(kind), correction));
        return model;
    }

    ObjectNode decisions(int limit) {
        ArrayNode decisions = JSON.createArrayNode();
        sources.placement().decisions(limit).forEach(decision -> describe(decisions.addObject(), decision));
        ObjectNode answer = JSON.createObjectNode();
        ObjectNode counts = answer.putObject("counts");
        sources.placement().decisionCounts().forEach((reason, count) -> counts.put(reason.name(), count));
        answer.set("decisions", decisions);
        return answer;
    }

    /** What the placements of queues in shadow would gain: predictions, none of them checked by what happened. */
    ObjectNode shadowReport() {
        ObjectNode answer = JSON.createObjectNode();
        ObjectNode queues = answer.putObject("queues");
        sources.placement().differences().forEach((queue, seen) -> describe(queues.putObject(queue), seen));
        return answer;
    }

    private static void describe(ObjectNode json, Differences.Queue seen) {
        double mean = seen.savedSeconds() / seen.placements();
        json.put("placements", seen.placements())
                .put("differing", seen.differing())
                .put("parentsSlowdown", rounded(seen.parentsSlowdown() / seen.placements()))
                .put("bestSlowdown", rounded(seen.bestSlowdown() / seen.placements()))
                .put("savedSlowdown", rounded(seen.savedCost() / seen.placements()))
                .put("savedSeconds", rounded(seen.savedSeconds()));
        if (seen.placements() > 1) {
            // Normal approximation of the 95 % interval of the sum.
            double variance =
                    Math.max(0, seen.savedSecondsSquared() - mean * seen.savedSeconds()) / (seen.placements() - 1);
            double half = 1.96 * Math.sqrt(variance * seen.placements());
            json.putArray("savedSecondsInterval")
                    .add(rounded(seen.savedSeconds() - half))
                    .add(rounded(seen.savedSeconds() + half));
        }
    }

    ObjectNode health() {
        Placement.Health placement = sources.placement().health();
        Sources.Store store = sources.store().get();
        ObjectNode health = JSON.createObjectNode();
        ArrayNode problems = JSON.createArrayNode();
        placement.breakerOpen().ifPresent(why -> problems.add("the breaker turned the plugin to shadow: " + why));
        store.problem().ifPresent(problems::add);
        sources.model().get().problem().ifPresent(problems::add);
        health.put("status", problems.isEmpty() ? "OK" : "DEGRADED");
        health.set("problems", problems);
        health.put("mode", lowerCase(placement.mode()));
        health.put("configuredMode", lowerCase(placement.configuredMode()));
        health.put("predictor", placement.predictor());
        health.putObject("breaker")
                .put("open", placement.breakerOpen().isPresent())
                .put("errors", placement.breakerErrors());
        health.putObject("store")
                .put("file", store.file())
                .put("profiles", sources.profiles().size());
        Figures figures = Figures.of(sources, now);
        ObjectNode counters = health.putObject("counters");
        figures.counters().forEach(counters::put);
        ObjectNode gauges = health.putObject("gauges");
        figures.gauges().forEach(gauges::put);
        return health;
    }

    private static void describe(ObjectNode json, String container, String node, Optional<Sources.Task> task) {
        json.put("container", container).put("node", node);
        task.ifPresent(known -> json.put("application", known.application())
                .put("task", known.identity().text())
                .put("am", known.applicationMaster()));
    }

    private static void measure(ObjectNode json, ContainerReport report) {
        json.put("observedMs", report.observed().toMillis());
        report.launch().ifPresent(launch -> json.put("launch", launch.toString()));
        ObjectNode signals = json.putObject("signals");
        for (Signal signal : Signal.values()) {
            Reading reading = report.readings().get(signal);
            if (reading instanceof Reading.Measured measured) {
                signals.putObject(signal.wireName())
                        .put("status", measured.apportioned() ? "apportioned" : "ok")
                        .put("level", rounded(measured.level()))
                        .put("mean", rounded(measured.mean()))
                        .put("raw", rounded(measured.raw()))
                        .put("source", measured.source());
            } else if (reading instanceof Reading.Unavailable unavailable) {
                signals.putObject(signal.wireName())
                        .put("status", "unavailable")
                        .put("reason", unavailable.reason())
                        .put("source", unavailable.source());
            }
        }
    }

    private void describe(ObjectNode json, TaskProfile profile) {
        json.put("key", profile.key().text())
                .put("level", lowerCase(profile.key().level()))
                .put("state", sources.profiles().state(profile).name())
                .put("samples", profile.samples());
        ObjectNode runTime = json.putObject("runTimeSeconds");
        describe(runTime, profile.runTimeSeconds());
        if (profile.runTimes().alone().count() > 0) {
            describe(runTime.putObject("alone"), profile.runTimes().alone());
        }
        if (profile.runTimes().contended().count() > 0) {
            describe(runTime.putObject("contended"), profile.runTimes().contended());
        }
        describe(json.putObject("signals"), profile.signals());
        if (!profile.phases().isEmpty()) {
            ObjectNode phases = json.putObject("phases");
            profile.phases().forEach((phase, signals) -> describe(phases.putObject(lowerCase(phase)), signals));
        }
        Mixture mixture = profile.mixture();
        json.put("polluted", mixture.isPolluted());
        ObjectNode launches = json.putObject("launches");
        mixture.launches().forEach((launch, samples) -> launches.put(launch.toString(), samples));
        mixture.boundary().ifPresent(boundary -> json.putObject("boundary")
                .put("signal", boundary.signal().wireName())
                .put("level", rounded(boundary.level())));
        json.put("updated", profile.updated().toString());
    }

    private static void describe(ObjectNode json, Map<Signal, Averages> signals) {
        signals.forEach((signal, averages) -> describe(json.putObject(signal.wireName()), averages));
    }

    private static void describe(ObjectNode json, Averages averages) {
        json.put("mean", rounded(averages.mean()))
                .put("deviation", rounded(averages.deviation()))
                .put("fast", rounded(averages.fast()))
                .put("p95", rounded(averages.p95()))
                .put("peak", rounded(averages.peak()))
                .put("samples", averages.count());
    }

    private static void describe(ObjectNode json, ModelVersion version) {
        json.put("version", version.number())
                .put("model", version.predictor().name())
                .put("trainedAt", version.trainedAt().toString())
                .put("rows", version.examples())
                .put("heldOut", version.heldOut())
                .put("error", rounded(version.error()))
                .put("priorError", rounded(version.priorError()));
    }

    private static void describe(ObjectNode json, TrainingRound round) {
        json.put("at", round.at().toString())
                .put("trigger", round.trigger().name())
                .put("rows", round.examples())
                .put("heldOut", round.heldOut());
        ObjectNode errors = json.putObject("errors");
        new TreeMap<>(round.errors()).forEach((name, error) -> errors.put(name, rounded(error)));
        round.version().ifPresent(version -> json.put("version", version));
        json.put("reason", round.reason());
    }

    private static void describe(ObjectNode json, Calibration.Correction correction) {
        json.put("exponentOfPrior", rounded(correction.prior()))
                .put("exponentOfModel", rounded(correction.learned()))
                .put("usesModel", correction.usesLearned());
        correction.error().ifPresent(error -> json.put("error", rounded(error)));
    }

    private static void describe(ObjectNode json, Decision decision) {
        ApplicationAttemptId attempt =
                ApplicationAttemptId.fromString(decision.ranking().request().attempt());
        json.put("sequence", decision.sequence())
                .put("at", decision.at().toString())
                .put("application", attempt.getApplicationId().toString())
                .put("attempt", attempt.toString())
                .put("container", decision.container())
                .put("task", decision.ranking().request().task().text())
                .put("am", decision.ranking().request().applicationMaster())
                .put("profileFound", decision.ranking().profile().isPresent());
        decision.ranking()
                .profile()
                .ifPresent(profile -> json.put("profileKey", profile.key().text()));
        json.put("mode", lowerCase(decision.ranking().mode()))
                .put("reason", decision.ranking().reason().name())
                .put("explanation", decision.explain())
                .put("chosen", decision.chosen())
                .put("rank", decision.rank());
        ArrayNode nodes = json.putArray("nodes");
        decision.ranking().verdicts().forEach(verdict -> describe(nodes.addObject(), verdict));
    }

    private static void describe(ObjectNode json, Verdict verdict) {
        json.put("node", verdict.node()).put("reason", verdict.reason().name());
        if (verdict.reason() == Verdict.Reason.RANKED) {
            json.put("cost", rounded(verdict.cost()))
                    .put("ownSlowdown", rounded(verdict.ownSlowdown()))
                    .put("neighboursAdded", rounded(verdict.neighboursAdded()))
                    .put("localityCost", rounded(verdict.localityCost()))
                    .put("pressure", rounded(verdict.pressure()))
                    .put("sensitivity", rounded(verdict.sensitivity()));
        }
        if (verdict.reason() == Verdict.Reason.RANKED || verdict.tagPenalty() > 0) {
            json.put("tagPenalty", rounded(verdict.tagPenalty()));
        }
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** For people: figures here are not known better than this. */
    private static double rounded(double value) {
        return Math.round(value * 1e4) / 1e4;
    }
}
