package org.interference.yarn.rest;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.interference.yarn.capacity.CapacityReport;
import org.interference.yarn.ingest.Coverage;
import org.interference.yarn.learn.OnlineAdaptiveModule;
import org.interference.yarn.place.DecisionTimes;
import org.interference.yarn.place.Gate;
import org.interference.yarn.place.Mode;
import org.interference.yarn.relocate.Judgement;
import org.interference.yarn.relocate.RelocationMode;
import org.interference.yarn.relocate.Tally;

/**
 * Every number that the plugin counts, at one instant and by name: what health answers and the Hadoop metrics publish. What is not
 * known is left out.
 *
 * @param counters since the ResourceManager became active
 * @param shares gauges that are no whole numbers
 * @param decisionsWithin how many decisions took so many microseconds or less, ascending; the last bound is {@code +Inf}
 */
record Figures(
        Map<String, Long> counters,
        Map<String, Long> gauges,
        Map<String, Double> shares,
        Map<String, Long> decisionsWithin) {

    static Figures of(Sources sources, Instant now) {
        OnlineAdaptiveModule.Report model = sources.learnt().model().get();
        DecisionTimes.Snapshot times = sources.placement().gate().decisionTimes();
        Gate.Health health = sources.placement().gate().health();
        return new Figures(
                counters(sources, health, model, times),
                gauges(sources, health, model, now),
                shares(sources, model),
                decisionsWithin(times));
    }

    private static Map<String, Long> counters(
            Sources sources, Gate.Health placement, OnlineAdaptiveModule.Report model, DecisionTimes.Snapshot times) {
        Map<String, Long> counters = new LinkedHashMap<>();
        counters.put("errors", placement.errors());
        sources.placement().gate().faults().counts().forEach((part, count) -> counters.put("errors." + part, count));
        counters.put("decisionsTooSlow", placement.tooSlow());
        counters.put("decisionMicros.count", times.count());
        counters.put("decisionMicros.sum", micros(times.sum()));
        counters.put("timeSpentMicros", micros(sources.placement().gate().timeSpent()));
        counters.put("proposalsDropped", sources.placement().decisions().proposalsDropped());
        counters.put("commitsUnaccounted", sources.placement().decisions().notAccountedFor());
        sources.ingest().outcomes().forEach((outcome, count) -> counters.put("heartbeats." + outcome, count));
        sources.learnt().finished().outcomes().forEach((outcome, count) -> counters.put("tasks." + outcome, count));
        sources.placement().decisions().counts().forEach((reason, count) -> counters.put("decisions." + reason, count));
        sources.placement().freeNodes().counts().forEach((reason, count) -> counters.put("matching." + reason, count));
        CapacityReport capacity = sources.capacity().get();
        capacity.reasons().forEach((reason, count) -> counters.put("capacity." + reason, count));
        counters.put("capacityEvictions", capacity.evictions());
        counters.put("capacityKilled", capacity.killed());
        Tally relocation = sources.relocation().get().tally();
        for (Judgement.Reason reason : Judgement.Reason.values()) {
            counters.put("relocation." + reason, relocation.reasons().getOrDefault(reason, 0L));
        }
        counters.put("relocationsAsked", relocation.asked());
        counters.put("relocationsLeft", relocation.left());
        counters.put("relocationsHelped", relocation.helped());
        counters.put("relocationsHarmed", relocation.harmed());
        counters.put("relocationLostSeconds", Math.round(relocation.lostSeconds()));
        counters.put("modelObserved", model.observed());
        counters.put("modelTrainings", model.trainings());
        counters.put("modelDrifts", model.drifts());
        return counters;
    }

    private static Map<String, Long> gauges(
            Sources sources, Gate.Health placement, OnlineAdaptiveModule.Report model, Instant now) {
        Set<String> nodes = sources.cluster().nodes().get();
        Coverage coverage = sources.ingest().coverage(nodes, now);
        Map<String, Long> gauges = new LinkedHashMap<>();
        gauges.put("nodesFresh", (long) coverage.fresh());
        gauges.put("nodesStale", (long) coverage.stale());
        gauges.put("nodesNeverSeen", (long) coverage.neverSeen());
        sources.ingest()
                .measured(nodes, now)
                .forEach((signal, measuring) -> gauges.put("nodesMeasuring." + signal, (long) measuring));
        gauges.put("oldestSampleAgeMs", coverage.oldestSample().toMillis());
        gauges.put("pendingPlacements", sources.placement().accounts().unmeasured(now));
        gauges.put("profiles", (long) sources.learnt().profiles().size());
        gauges.put(
                "storeProblem", oneIf(sources.learnt().store().get().problem().isPresent()));
        gauges.put("modelProblem", oneIf(model.problem().isPresent()));
        model.champion().ifPresent(champion -> gauges.put("modelVersion", (long) champion.number()));
        CapacityReport capacity = sources.capacity().get();
        gauges.put("capacityMode", number(capacity.mode()));
        gauges.put("nodesGrown", capacity.grown());
        gauges.put("nodesNotApplied", capacity.notApplied());
        for (CapacityReport.StandsBack reason : CapacityReport.StandsBack.values()) {
            gauges.put("nodesStandingBack." + reason, capacity.standingBack(reason));
        }
        gauges.put(
                "memoryMb.CONFIGURED",
                capacity.total(CapacityReport.Node::configured).memoryMb());
        gauges.put(
                "memoryMb.USABLE", capacity.total(CapacityReport.Node::usable).memoryMb());
        gauges.put(
                "memoryMb.WANTED", capacity.total(CapacityReport.Node::wanted).memoryMb());
        gauges.put("memoryMb.USED", capacity.total(CapacityReport.Node::used).memoryMb());
        gauges.put("relocationMode", number(sources.relocation().get().mode()));
        gauges.put("breakerErrors", (long) placement.breakerErrors());
        gauges.put("breakerOpen", oneIf(placement.breakerOpen().isPresent()));
        gauges.put("mode", number(placement.mode()));
        for (Mode mode : Mode.values()) {
            gauges.put("queuesInMode." + mode, (long)
                    Collections.frequency(placement.queueModes().values(), mode));
        }
        return gauges;
    }

    private static Map<String, Double> shares(Sources sources, OnlineAdaptiveModule.Report model) {
        Map<String, Double> shares = new LinkedHashMap<>();
        shares.put("timeShareLimit", sources.placement().gate().timeShare());
        shares.put("capacityLostShare", sources.capacity().get().lostShare());
        model.error().ifPresent(error -> shares.put("modelError.composed", error));
        model.priorError().ifPresent(error -> shares.put("modelError.prior", error));
        model.learnedError().ifPresent(error -> shares.put("modelError.champion", error));
        model.cover().ifPresent(cover -> shares.put("modelIntervalCover", cover));
        return shares;
    }

    private static Map<String, Long> decisionsWithin(DecisionTimes.Snapshot times) {
        Map<String, Long> within = new LinkedHashMap<>();
        times.withinMicros().forEach((micros, count) -> within.put(Integer.toString(micros), count));
        within.put("+Inf", times.count());
        return within;
    }

    private static long micros(Duration time) {
        return TimeUnit.MICROSECONDS.convert(time);
    }

    private static long oneIf(boolean is) {
        return is ? 1 : 0;
    }

    private static long number(RelocationMode mode) {
        return switch (mode) {
            case OFF -> 0;
            case DRY_RUN -> 1;
            case ON -> 2;
        };
    }

    private static long number(Mode mode) {
        return switch (mode) {
            case OFF -> 0;
            case SHADOW -> 1;
            case ON -> 2;
        };
    }
}
