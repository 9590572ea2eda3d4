package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.interference.yarn.learn.Accuracy;
import org.interference.yarn.place.Decision;
import org.interference.yarn.place.Differences;
import org.interference.yarn.place.Offered;
import org.interference.yarn.place.Ranking;
import org.interference.yarn.place.Request;
import org.interference.yarn.place.Verdict;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.Signal;

/** Placements and their reasons, and what they would be if the plugin decided. */
final class DecisionAnswers {
    private final Sources sources;
    private final Viewer viewer;
    private final Instant now;

    DecisionAnswers(Sources sources, Viewer viewer) {
        this.sources = sources;
        this.viewer = viewer;
        this.now = sources.clock().instant();
    }

    /** Newest first. */
    ObjectNode decisions(Page page, Optional<String> application, Optional<Ranking.Reason> reason) {
        // Whoever asks for one by name could tell by an answer that it is there.
        boolean hidden = application.isPresent() && !viewer.mayView(application.get());
        List<Decision> wanted = hidden
                ? List.of()
                : sources.placement().decisions().newest(Integer.MAX_VALUE).stream()
                        .filter(decision -> reason.isEmpty()
                                || reason.get() == decision.ranking().reason())
                        .filter(decision -> application.isEmpty()
                                || application
                                        .get()
                                        .equals(decision.ranking().request().application()))
                        .toList();
        ObjectNode answer = page.answer("decisions", wanted, this::describe);
        ObjectNode counts = answer.putObject("counts");
        sources.placement().decisions().counts().forEach((known, count) -> counts.put(known.name(), count));
        return answer;
    }

    void describe(ObjectNode json, Decision decision) {
        Ranking ranking = decision.ranking();
        Request request = ranking.request();
        boolean visible = viewer.mayView(request.application());
        json.put("sequence", decision.sequence())
                .put("at", decision.at().toString())
                .put("visible", visible)
                .put("am", request.applicationMaster())
                .put("profileFound", ranking.profile().isPresent())
                .put("mode", Json.lowerCase(ranking.mode()))
                .put("reason", ranking.reason().name())
                .put(
                        "explanation",
                        visible
                                ? decision.explain()
                                : decision.explain().replace(request.task().text(), "its kind"))
                .put("chosen", decision.chosen())
                .put("rank", decision.rank())
                .put("predictor", sources.placement().accounts().predictor());
        sources.learnt().model().get().champion(decision.at()).ifPresent(version -> json.put("modelVersion", version));
        if (visible) {
            json.put("application", request.application())
                    .put("attempt", request.attempt())
                    .put("container", decision.container())
                    .put("task", request.task().text())
                    .put("queue", request.queue());
            ranking.profile()
                    .ifPresent(profile -> json.put("profileKey", profile.key().text()));
        }
        ranking.parentsChoice().ifPresent(node -> json.put("parentsChoice", node));
        Optional<Double> runSeconds =
                ranking.profile().map(profile -> profile.runTimeSeconds().mean());
        runSeconds.ifPresent(seconds -> json.put("runSeconds", Json.rounded(seconds)));
        ranking.profile().map(TaskProfile::load).ifPresent(load -> {
            ArrayNode signals = json.putArray("signals");
            load.levels().keySet().stream().map(Signal::wireName).forEach(signals::add);
        });
        ranking.offered().ifPresent(offered -> describe(json.putObject("offer"), offered));
        ArrayNode nodes = json.putArray("nodes");
        ranking.verdicts().forEach(verdict -> describe(nodes.addObject(), verdict, decision.at(), runSeconds));
    }

    /** Without their names: they are other tenants'. */
    static void describe(ObjectNode json, Offered offered) {
        json.put("node", offered.node())
                .put("mode", Json.lowerCase(offered.mode()))
                .put("reason", offered.decision().reason().name())
                .put("saved", Json.rounded(offered.saved()))
                .put("savedSeconds", Json.rounded(offered.savedSeconds()));
        offered.decision().winner().ifPresent(winner -> json.put("winner", winner));
        ArrayNode contenders = json.putArray("contenders");
        for (Offered.Contending one : offered.contenders()) {
            ObjectNode contender = contenders.addObject().put("known", one.bid().isKnown());
            if (one.bid().isKnown()) {
                contender
                        .put("gain", Json.rounded(one.bid().gain()))
                        .put("aboveUsual", Json.rounded(one.bid().excess()))
                        .put("ownSlowdown", Json.rounded(one.ownSlowdown()));
                if (Double.isFinite(one.bid().atMost())) {
                    contender.put("gainAtMost", Json.rounded(one.bid().atMost()));
                }
            }
        }
    }

    private static void describe(ObjectNode json, Verdict verdict, Instant at, Optional<Double> runSeconds) {
        json.put("node", verdict.node()).put("reason", verdict.reason().name());
        if (verdict.reason() == Verdict.Reason.RANKED) {
            json.put("gain", Json.rounded(verdict.gain()))
                    .put("ownSlowdown", Json.rounded(verdict.ownSlowdown()))
                    .put("neighboursLose", Json.rounded(verdict.neighboursLose()))
                    .put("localityCost", Json.rounded(verdict.localityCost()))
                    .put("pressure", Json.rounded(verdict.pressure()))
                    .put("sensitivity", Json.rounded(verdict.sensitivity()));
            runSeconds.ifPresent(seconds -> json.putObject("seconds")
                    .put("total", Json.rounded(seconds * verdict.cost()))
                    .put("own", Json.rounded(seconds * verdict.sensitivity() * (1 - 1 / verdict.ownSlowdown())))
                    .put("neighbours", Json.rounded(seconds * verdict.neighboursLose()))
                    .put("locality", Json.rounded(seconds * verdict.sensitivity() * verdict.localityCost()))
                    .put("tags", Json.rounded(seconds * verdict.tagPenalty())));
        }
        if (verdict.reason() == Verdict.Reason.RANKED || verdict.tagPenalty() > 0) {
            json.put("tagPenalty", Json.rounded(verdict.tagPenalty()));
        }
        verdict.measuredAt()
                .ifPresent(measured ->
                        json.put("sampleAgeMs", Duration.between(measured, at).toMillis()));
    }

    /**
     * What the placements of queues in shadow would gain, and how good the predictions were that say so.
     *
     * @param from empty: all that is kept
     * @param to empty: now
     */
    ObjectNode shadowReport(Optional<Instant> from, Optional<Instant> to) {
        Differences differences = sources.placement().decisions().differences();
        Instant keptSince =
                differences.between(Instant.MIN, Instant.MAX).from().orElse(now.truncatedTo(ChronoUnit.HOURS));
        Instant begin = from.orElse(keptSince);
        Instant end = to.orElse(now);
        Differences.Period period = differences.between(begin, end);
        ObjectNode answer = Json.object()
                .put("from", begin.toString())
                .put("to", end.toString())
                .put("keptSince", keptSince.toString());
        // Of all together: of one queue it would be a guess.
        double expected = period.all().expected();
        answer.put("expected", Json.rounded(expected));
        describe(answer.putObject("all"), period.all().expecting(expected));
        ObjectNode queues = answer.putObject("queues");
        period.queues().forEach((queue, saved) -> {
            if (queue.equals(Differences.OTHERS) || viewer.mayViewQueue(queue)) {
                describe(queues.putObject(queue), saved.expecting(expected));
            }
        });
        ArrayNode applications = answer.putArray("applications");
        period.applications().forEach((application, saved) -> {
            if (application.equals(Differences.OTHERS) || viewer.mayView(application)) {
                describe(applications.addObject().put("application", application), saved.expecting(expected));
            }
        });
        predictions(answer.putObject("predictions"), begin, end);
        return answer;
    }

    private void predictions(ObjectNode json, Instant begin, Instant end) {
        long checked = 0;
        double weight = 0;
        double absolute = 0;
        double signed = 0;
        double prior = 0;
        for (Accuracy.Hour hour : sources.learnt().model().get().history()) {
            if (hour.from().isBefore(end)
                    && hour.from().plus(1, ChronoUnit.HOURS).isAfter(begin)) {
                checked += hour.predictions();
                weight += hour.weight();
                absolute += hour.absolute();
                signed += hour.signed();
                prior += hour.prior();
            }
        }
        json.put("checked", checked);
        if (checked > 0) {
            json.put("meanError", Json.rounded(absolute / weight))
                    .put("bias", Json.rounded(signed / weight))
                    .put("priorMeanError", Json.rounded(prior / weight));
        }
    }

    private static void describe(ObjectNode json, Differences.Saved saved) {
        json.put("placements", saved.placements())
                .put("differing", saved.differing())
                .put("savedSeconds", Json.rounded(saved.savedSeconds()));
        if (saved.placements() > 0) {
            json.put("parentsSlowdown", Json.rounded(saved.parentsSlowdown() / saved.placements()))
                    .put("bestSlowdown", Json.rounded(saved.bestSlowdown() / saved.placements()))
                    .put("savedSlowdown", Json.rounded(saved.savedWork() / saved.placements()));
        }
        saved.savedSecondsHalfWidth().ifPresent(half -> json.putArray("savedSecondsInterval")
                .add(Json.rounded(saved.savedSeconds() - half))
                .add(Json.rounded(saved.savedSeconds() + half)));
    }
}
