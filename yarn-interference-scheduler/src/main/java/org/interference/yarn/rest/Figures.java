package org.interference.yarn.rest;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.interference.yarn.ingest.Coverage;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.Placement;

/**
 * Every number that the plugin counts, at one instant and by name: what health answers and the Hadoop metrics publish.
 *
 * @param counters since the ResourceManager became active
 */
record Figures(Map<String, Long> counters, Map<String, Long> gauges) {

    static Figures of(Sources sources, Instant now) {
        Placement.Health placement = sources.placement().health();
        Map<String, Long> counters = new LinkedHashMap<>();
        counters.put("errors", placement.errors());
        counters.put("decisionsTooSlow", placement.tooSlow());
        counters.put("proposalsDropped", placement.proposalsDropped());
        sources.ingest().outcomes().forEach((outcome, count) -> counters.put("heartbeats." + outcome, count));
        sources.finished().outcomes().forEach((outcome, count) -> counters.put("tasks." + outcome, count));
        sources.placement().decisionCounts().forEach((reason, count) -> counters.put("decisions." + reason, count));
        sources.placement().matchingCounts().forEach((reason, count) -> counters.put("matching." + reason, count));
        Coverage coverage = sources.ingest().coverage(sources.clusterNodes().get(), now);
        Map<String, Long> gauges = new LinkedHashMap<>();
        gauges.put("nodesFresh", (long) coverage.fresh());
        gauges.put("nodesStale", (long) coverage.stale());
        gauges.put("nodesNeverSeen", (long) coverage.neverSeen());
        gauges.put("oldestSampleAgeMs", coverage.oldestSample().toMillis());
        gauges.put("pendingPlacements", sources.placement().unmeasured(now));
        gauges.put("breakerErrors", (long) placement.breakerErrors());
        gauges.put("mode", number(placement.mode()));
        return new Figures(counters, gauges);
    }

    private static long number(Mode mode) {
        return switch (mode) {
            case OFF -> 0;
            case SHADOW -> 1;
            case ON -> 2;
        };
    }
}
