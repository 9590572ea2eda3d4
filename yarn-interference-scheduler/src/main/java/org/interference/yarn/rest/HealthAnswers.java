package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.TreeMap;
import org.interference.yarn.place.ByQueue;
import org.interference.yarn.place.Gate;

/** How the plugin is, and how it is set. */
final class HealthAnswers {
    private final Sources sources;
    private final Viewer viewer;

    HealthAnswers(Sources sources, Viewer viewer) {
        this.sources = sources;
        this.viewer = viewer;
    }

    ObjectNode health() {
        Gate.Health placement = sources.placement().gate().health();
        Sources.Store store = sources.learnt().store().get();
        ObjectNode health = Json.object();
        ArrayNode problems = Json.array();
        placement.breakerOpen().ifPresent(why -> problems.add("the breaker turned the plugin to shadow: " + why));
        (viewer.mayViewAll() ? sources.control().problem() : sources.control().problemToAnybody())
                .ifPresent(problems::add);
        store.problem().ifPresent(problems::add);
        sources.learnt().model().get().problem().ifPresent(problems::add);
        health.put("status", problems.isEmpty() ? "OK" : "DEGRADED");
        health.set("problems", problems);
        health.put("mode", Json.lowerCase(placement.mode()));
        health.put("configuredMode", Json.lowerCase(placement.configuredMode()));
        ObjectNode queues = health.putObject("queueModes");
        new TreeMap<>(placement.queueModes()).forEach((queue, mode) -> {
            if (viewer.mayViewQueue(queue)) {
                queues.put(queue, Json.lowerCase(mode));
            }
        });
        health.put("predictor", sources.placement().accounts().predictor());
        health.putObject("breaker")
                .put("open", placement.breakerOpen().isPresent())
                .put("onTrial", placement.breakerOnTrial())
                .put("errors", placement.breakerErrors());
        ArrayNode errors = health.putArray("errors");
        sources.placement().gate().faults().newest().forEach(kind -> errors.addObject()
                .put("part", kind.part().name())
                .put("error", kind.error())
                .put("at", kind.at())
                .put("count", kind.count())
                .put("last", kind.last().toString()));
        health.putObject("store")
                .put("file", store.file())
                .put("profiles", sources.learnt().profiles().size());
        Figures figures = Figures.of(sources, sources.clock().instant());
        ObjectNode counters = health.putObject("counters");
        figures.counters().forEach(counters::put);
        figures.decisionsWithin().forEach((micros, count) -> counters.put("decisionMicros.le" + micros, count));
        ObjectNode gauges = health.putObject("gauges");
        figures.gauges().forEach(gauges::put);
        figures.shares().forEach((name, share) -> gauges.put(name, Json.rounded(share)));
        return health;
    }

    ObjectNode config() {
        ObjectNode answer = Json.object();
        ArrayNode settings = answer.putArray("settings");
        sources.control().settings().forEach(setting -> settings.addObject()
                .put("name", setting.key().name())
                .put("value", value(setting))
                .put("default", setting.key().fallback())
                .put("rule", setting.key().rule())
                .put("description", setting.key().doc())
                .put("live", setting.live())
                .put("changed", setting.changed()));
        return answer;
    }

    private String value(Control.Setting setting) {
        return ByQueue.isOf(setting.key()) ? ByQueue.only(setting.value(), viewer::mayViewQueue) : setting.value();
    }
}
