package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.PriorityQueue;
import java.util.Set;
import org.interference.yarn.learn.Attribution;
import org.interference.yarn.place.Decision;
import org.interference.yarn.signal.Preemptor;

/** Who hurts whom: pairs of a victim and one of its neighbours, of which one may be what is of no container. */
final class PairAnswers {
    private static final Comparator<Pair> WORST_FIRST = Comparator.comparingDouble(Pair::seconds)
            .thenComparingDouble(pair -> pair.harm().slowdown())
            .reversed()
            .thenComparing(pair -> pair.victim().container())
            .thenComparing(pair -> pair.harm().culprit());

    private final Sources sources;
    private final Viewer viewer;

    PairAnswers(Sources sources, Viewer viewer) {
        this.sources = sources;
        this.viewer = viewer;
    }

    /** One container that hurts another. */
    private record Pair(Attribution.Victim victim, Attribution.Harm harm) {
        double seconds() {
            return harm.seconds();
        }
    }

    /** Which victims are asked for; empty for any. */
    record Filter(Optional<String> node, Optional<String> application, Optional<String> container) {
        static final Filter NONE = new Filter(Optional.empty(), Optional.empty(), Optional.empty());

        private boolean holds(Attribution.Victim victim) {
            return node.map(victim.node()::equals).orElse(true)
                    && application
                            .map(ContainerAnswers.applicationOf(victim.container())::equals)
                            .orElse(true);
        }

        /** Whoever asks for one by name could tell by an answer that it is there. */
        private boolean isByName() {
            return container.isPresent() || application.isPresent();
        }
    }

    /** The worst first. */
    ObjectNode pairs(Page page, Filter filter) {
        List<Pair> pairs = new ArrayList<>();
        for (Attribution.Victim victim : filter.container()
                .map(id -> sources.learnt().attribution().victim(id).stream().toList())
                .orElseGet(() -> sources.learnt().attribution().victims())) {
            boolean hidden = filter.isByName() && !viewer.mayView(ContainerAnswers.applicationOf(victim.container()));
            if (filter.holds(victim) && !hidden) {
                victim.culprits().forEach(harm -> pairs.add(new Pair(victim, harm)));
            }
        }
        List<Pair> worst = worst(pairs, Math.addExact(page.offset(), page.limit()));
        Map<String, Decision> decisions = decisions(worst);
        return page.answer(
                "pairs",
                worst,
                pairs.size(),
                (json, pair) -> describe(json, pair, isRunning(pair.victim()), decisions));
    }

    /** Who hurts one container. */
    ArrayNode of(Attribution.Victim victim) {
        boolean running = isRunning(victim);
        List<Pair> pairs =
                victim.culprits().stream().map(harm -> new Pair(victim, harm)).toList();
        Map<String, Decision> decisions = decisions(pairs);
        ArrayNode answer = Json.array();
        pairs.forEach(pair -> describe(answer.addObject(), pair, running, decisions));
        return answer;
    }

    /** Returns what is kept of how those who are in {@code pairs} were placed, by container. */
    private Map<String, Decision> decisions(List<Pair> pairs) {
        Set<String> containers = new HashSet<>();
        for (Pair pair : pairs) {
            containers.add(pair.victim().container());
            containers.add(pair.harm().culprit());
        }
        return sources.placement().decisions().of(containers);
    }

    private boolean isRunning(Attribution.Victim victim) {
        return sources.ingest()
                .newest(victim.node())
                .map(sample -> sample.running().containsKey(victim.container()))
                .orElse(false);
    }

    /** Returns the first of the order, without sorting the rest: there may be many. */
    private static List<Pair> worst(List<Pair> pairs, int most) {
        PriorityQueue<Pair> worst = new PriorityQueue<>(WORST_FIRST.reversed());
        for (Pair pair : pairs) {
            if (worst.size() < most) {
                worst.add(pair);
            } else if (WORST_FIRST.compare(pair, worst.element()) < 0) {
                worst.remove();
                worst.add(pair);
            }
        }
        return worst.stream().sorted(WORST_FIRST).toList();
    }

    private void describe(ObjectNode json, Pair pair, boolean running, Map<String, Decision> decisions) {
        party(json.putObject("victim"), pair.victim().container());
        if (pair.harm().isFromOutside()) {
            json.putObject("culprit").put("visible", true).put("outside", true);
        } else {
            party(json.putObject("culprit"), pair.harm().culprit());
        }
        json.put("node", pair.victim().node())
                .put("state", (running ? ContainerAnswers.State.RUNNING : ContainerAnswers.State.COMPLETED).name())
                .put("slowdown", Json.rounded(pair.harm().slowdown()))
                .put("seconds", Json.rounded(pair.harm().seconds()));
        preemptions(pair).ifPresent(rate -> json.put("preemptionsPerSecond", Json.rounded(rate)));
        ObjectNode confidence = json.putObject("confidence");
        OptionalDouble error = pair.victim().error();
        confidence.put("checked", error.isPresent());
        error.ifPresent(known -> confidence.put("meanError", Json.rounded(known)));
        pair.harm().signal().ifPresent(signal -> json.put("signal", signal.wireName()));
        met(
                json,
                decisions.get(pair.victim().container()),
                decisions.get(pair.harm().culprit()));
    }

    /** How often the culprit takes the victim's CPU, as the node counted it; empty where it is not among those that it tells of. */
    private OptionalDouble preemptions(Pair pair) {
        Optional<String> culprit =
                Optional.of(pair.harm().culprit()).filter(id -> !pair.harm().isFromOutside());
        return sources.ingest().newest(pair.victim().node()).stream()
                .flatMap(sample -> sample.report().containers().stream())
                .filter(report -> report.container().equals(pair.victim().container()))
                .flatMap(report -> report.preemptors().stream())
                .filter(preemptor -> preemptor.container().equals(culprit))
                .mapToDouble(Preemptor::perSecond)
                .findFirst();
    }

    /**
     * How the two met: what was decided about the one that came later. Nothing unless both decisions are kept: one that is missing may be too old, or
     * of a queue that is off, and then it says nothing of when its container came.
     */
    private static void met(ObjectNode json, Decision victims, Decision culprits) {
        if (victims == null || culprits == null) {
            return;
        }
        boolean culpritCame = culprits.sequence() > victims.sequence();
        Decision later = culpritCame ? culprits : victims;
        ObjectNode met = json.putObject("met")
                .put("by", culpritCame ? "culprit" : "victim")
                .put("at", later.at().toString())
                .put("reason", later.ranking().reason().name());
        later.ranking().offered().ifPresent(offered -> DecisionAnswers.describe(met.putObject("offer"), offered));
    }

    /** Names a container and its task, or says that the viewer may not know it. */
    void party(ObjectNode json, String container) {
        String application = ContainerAnswers.applicationOf(container);
        boolean visible = viewer.mayView(application);
        json.put("visible", visible);
        if (visible) {
            json.put("container", container).put("application", application);
            sources.cluster()
                    .tasks()
                    .apply(container)
                    .ifPresent(task -> json.put("task", task.identity().text()));
        }
    }
}
