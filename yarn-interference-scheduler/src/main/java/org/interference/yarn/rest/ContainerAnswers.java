package org.interference.yarn.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import javax.ws.rs.core.Response;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.learn.Attribution;
import org.interference.yarn.learn.FinishedTask;
import org.interference.yarn.place.Decision;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.ControlStatus;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.NodeMetric;
import org.interference.yarn.signal.Preemptor;
import org.interference.yarn.signal.Reading;
import org.interference.yarn.signal.Signal;

/** Containers: what they use, and why they are where they are. */
final class ContainerAnswers {
    /** A container that waits less for processors is not held up by them. */
    private static final double NOTABLE_WAIT = 0.1;
    /** With fewer of a node's processors in use there is one for whoever wants it. */
    private static final double IDLE_CPUS = 0.8;

    private final Sources sources;
    private final Viewer viewer;
    private final DecisionAnswers decisions;
    private final PairAnswers pairs;

    ContainerAnswers(Sources sources, Viewer viewer) {
        this.sources = sources;
        this.viewer = viewer;
        this.decisions = new DecisionAnswers(sources, viewer);
        this.pairs = new PairAnswers(sources, viewer);
    }

    /** What {@code state} a container can be in. */
    enum State {
        RUNNING,
        COMPLETED
    }

    /**
     * Which containers are asked for.
     *
     * @param node empty for any, and so on
     */
    record Filter(Optional<String> node, Optional<String> application, Optional<State> state) {
        static final Filter NONE = new Filter(Optional.empty(), Optional.empty(), Optional.empty());

        private boolean holds(String onNode, String container, State inState) {
            // What follows "application" stands in the container's id as well: most are told apart by that.
            return (node.isEmpty() || node.get().equals(onNode))
                    && (state.isEmpty() || state.get() == inState)
                    && (application.isEmpty()
                            || container.contains(application
                                    .get()
                                    .substring(application.get().indexOf('_') + 1)))
                    && (application.isEmpty() || application.get().equals(applicationOf(container)));
        }
    }

    /** Finished ones first, each of them oldest first; then running ones by node. */
    ObjectNode containers(Page page, Filter filter) {
        ArrayNode items = Json.array();
        if (filter.application().filter(id -> !viewer.mayView(id)).isPresent()) {
            // Whoever asks for one by name could tell by an answer that it is there, where, and what it uses.
            return page.answer("containers", 0, items);
        }
        long total = 0;
        List<FinishedTask> finished = sources.learnt().finished().newest();
        for (FinishedTask task : finished) {
            if (filter.holds(task.completed().node(), task.completed().container(), State.COMPLETED)
                    && page.holds(total++)) {
                describe(items.addObject(), task);
            }
        }
        Set<String> listed = new HashSet<>();
        Set<String> nodesOfListed = new HashSet<>();
        finished.forEach(task -> {
            listed.add(task.completed().container());
            nodesOfListed.add(task.completed().node());
        });
        boolean all = filter.application().isEmpty() && filter.state().isEmpty();
        for (NodeSample sample : samples(filter.node())) {
            int size = sample.report().containers().size();
            if (all && !nodesOfListed.contains(sample.node()) && !page.touches(total, total + size)) {
                total += size;
                continue;
            }
            for (ContainerReport report : sample.report().containers()) {
                State state = report.ended() ? State.COMPLETED : State.RUNNING;
                if (filter.holds(sample.node(), report.container(), state)
                        && !listed.contains(report.container())
                        && page.holds(total++)) {
                    describe(items.addObject(), sample, report);
                }
            }
        }
        return page.answer("containers", total, items);
    }

    private List<NodeSample> samples(Optional<String> node) {
        return node.isPresent()
                ? sources.ingest().newest(node.get()).stream().toList()
                : sources.cluster().nodes().get().stream()
                        .flatMap(name -> sources.ingest().newest(name).stream())
                        .toList();
    }

    /** The containers of one node as its newest report names them. */
    ArrayNode on(String node) {
        ArrayNode items = Json.array();
        sources.ingest().newest(node).ifPresent(sample -> sample.report()
                .containers()
                .forEach(report -> describe(items.addObject(), sample, report)));
        return items;
    }

    /**
     * Why a container is where it is, and who hurts it.
     *
     * @throws RequestException if nobody knows it, or the viewer may not know it
     */
    ObjectNode explain(String container) {
        if (!viewer.mayView(applicationOf(container))) {
            throw new RequestException(
                    Response.Status.FORBIDDEN, "%s is not of an application that you may view".formatted(container));
        }
        Optional<FinishedTask> finished = sources.learnt().finished().of(container);
        Optional<NodeSample> sample = sources.ingest().all().stream()
                .filter(newest -> holds(newest, container))
                .findFirst();
        Optional<Decision> decision = sources.placement().decisions().of(container);
        // On a large cluster its turn may be long ago.
        sample.ifPresent(known ->
                sources.learnt().attribution().look(known, sources.clock().instant()));
        Optional<Attribution.Victim> victim = sources.learnt().attribution().victim(container);
        ObjectNode answer = Json.object();
        ObjectNode described = answer.putObject("container");
        if (finished.isPresent()) {
            describe(described, finished.get());
        } else if (sample.isPresent()) {
            describe(described, sample.get(), report(sample.get(), container));
        } else if (decision.isPresent()) {
            describe(
                    described,
                    container,
                    decision.get().chosen(),
                    State.RUNNING,
                    sources.cluster().tasks().apply(container));
        } else if (victim.isPresent()) {
            // Of all that was known this is kept the longest.
            describe(
                    described,
                    container,
                    victim.get().node(),
                    State.COMPLETED,
                    sources.cluster().tasks().apply(container));
        } else {
            throw RequestException.notFound(
                    "nothing is known of a container '%s': it may be too long ago, or never have run here"
                            .formatted(container));
        }
        decision.ifPresent(known -> decisions.describe(answer.putObject("decision"), known));
        victim.ifPresent(known -> slowdown(answer, known));
        Optional<Wait> wait = sample.filter(newest -> sources.ingest()
                        .fresh(newest.node(), sources.clock().instant())
                        .isPresent())
                .flatMap(newest -> Wait.of(newest, container));
        wait.ifPresent(known -> known.describe(answer.putObject("wait")));
        answer.set("pairs", victim.map(pairs::of).orElseGet(Json::array));
        ArrayNode advice = answer.putArray("advice");
        advice(decision, victim, wait).forEach(advice::add);
        return answer;
    }

    /** With the interval that nine in ten fall into, where predictions were compared with what happened; nobody is faster than alone. */
    private static void slowdown(ObjectNode answer, Attribution.Victim victim) {
        answer.put("slowdown", Json.rounded(victim.slowdown()));
        victim.spread().ifPresent(spread -> answer.put(
                        "slowdownAtLeast", Json.rounded(Math.max(1, victim.slowdown() / Math.exp(spread))))
                .put("slowdownAtMost", Json.rounded(victim.slowdown() * Math.exp(spread))));
    }

    /**
     * How long a container waits for processors, and whether there were any.
     *
     * @param level of its run queue delay
     * @param nodeCpu how much of the node's processors is busy; where the node does not say, how much its containers use
     */
    private record Wait(double level, double nodeCpu) {
        static Optional<Wait> of(NodeSample sample, String container) {
            InterferenceVector own = sample.running().get(container);
            OptionalDouble level = own == null ? OptionalDouble.empty() : own.level(Signal.CPUWAIT);
            OptionalDouble busy = sample.report().figures().value(NodeMetric.CPU);
            OptionalDouble nodeCpu = busy.isPresent() ? busy : sample.load().level(Signal.CPU);
            return level.isPresent() && nodeCpu.isPresent()
                    ? Optional.of(new Wait(level.getAsDouble(), nodeCpu.getAsDouble()))
                    : Optional.empty();
        }

        boolean isThrottled() {
            return level >= NOTABLE_WAIT && nodeCpu < IDLE_CPUS;
        }

        void describe(ObjectNode json) {
            json.put("level", Json.rounded(level))
                    .put("nodeCpu", Json.rounded(nodeCpu))
                    .put("throttled", isThrottled());
        }
    }

    private static List<String> advice(
            Optional<Decision> decision, Optional<Attribution.Victim> victim, Optional<Wait> wait) {
        List<String> advice = new ArrayList<>();
        if (wait.filter(Wait::isThrottled).isPresent()) {
            advice.add(String.format(
                    Locale.ROOT,
                    "It waits for a CPU %.0f %% of its time while %.0f %% of the node's are idle: its own CPU limit slows it down, not its"
                            + " neighbours. Ask for more vcores.",
                    100 * wait.get().level(),
                    100 * Math.max(0, 1 - wait.get().nodeCpu())));
        }
        if (victim.isEmpty()) {
            advice.add("No neighbour is known to slow it down.");
        }
        if (decision.isEmpty()) {
            advice.add("Why it was placed there is no longer kept: only the newest decisions are.");
        }
        return advice;
    }

    private void describe(ObjectNode json, FinishedTask finished) {
        describe(
                json,
                finished.completed().container(),
                finished.completed().node(),
                State.COMPLETED,
                Optional.of(new Sources.Task(
                        finished.completed().application(),
                        finished.completed().task(),
                        finished.completed().applicationMaster())));
        json.put("outcome", finished.outcome().name());
        finished.report().ifPresent(report -> measure(json, report));
    }

    private void describe(ObjectNode json, NodeSample sample, ContainerReport report) {
        describe(
                json,
                report.container(),
                sample.node(),
                report.ended() ? State.COMPLETED : State.RUNNING,
                sources.cluster().tasks().apply(report.container()));
        // A node whose reports have stopped does not say what has ended since.
        json.put(
                "ageMs",
                Duration.between(sample.receivedAt(), sources.clock().instant()).toMillis());
        measure(json, report);
    }

    private void describe(ObjectNode json, String container, String node, State state, Optional<Sources.Task> task) {
        boolean visible = viewer.mayView(applicationOf(container));
        json.put("visible", visible).put("node", node).put("state", state.name());
        if (visible) {
            json.put("container", container);
            task.ifPresent(known -> json.put("application", known.application())
                    .put("task", known.identity().text())
                    .put("am", known.applicationMaster()));
        }
    }

    private void measure(ObjectNode json, ContainerReport report) {
        json.put("observedMs", report.observed().toMillis());
        if (viewer.mayView(applicationOf(report.container()))) {
            report.launch().ifPresent(launch -> json.put("launch", launch.toString()));
        }
        report.control().ifPresent(status -> control(json.putObject("control"), status));
        if (!report.preemptors().isEmpty()) {
            ArrayNode preemptors = json.putArray("preemptedBy");
            report.preemptors().forEach(preemptor -> describe(preemptors.addObject(), preemptor));
        }
        ObjectNode signals = json.putObject("signals");
        for (Signal signal : Signal.values()) {
            Reading reading = report.readings().get(signal);
            if (reading instanceof Reading.Measured measured) {
                signals.putObject(signal.wireName())
                        .put("status", measured.apportioned() ? "apportioned" : "ok")
                        .put("level", Json.rounded(measured.level()))
                        .put("mean", Json.rounded(measured.mean()))
                        .put("raw", Json.rounded(measured.raw()))
                        .put("source", measured.source());
            } else if (reading instanceof Reading.Unavailable unavailable) {
                signals.putObject(signal.wireName())
                        .put("status", "unavailable")
                        .put("reason", unavailable.reason())
                        .put("source", unavailable.source());
            }
        }
    }

    private void describe(ObjectNode json, Preemptor preemptor) {
        Optional<String> container = preemptor.container();
        json.put("outside", container.isEmpty()).put("perSecond", Json.rounded(preemptor.perSecond()));
        container.filter(id -> viewer.mayView(applicationOf(id))).ifPresent(id -> json.put("container", id));
    }

    private static void control(ObjectNode json, ControlStatus status) {
        json.put("class", status.workClass().title())
                .put("reason", status.reason())
                .put("since", status.since().toString());
        if (!status.cores().isEmpty()) {
            json.put("cores", status.cores());
        }
        status.diskBytesPerSecond().ifPresent(limit -> json.put("diskBytesPerSecond", limit));
    }

    private static boolean holds(NodeSample sample, String container) {
        for (ContainerReport report : sample.report().containers()) {
            if (report.container().equals(container)) {
                return true;
            }
        }
        return false;
    }

    private static ContainerReport report(NodeSample sample, String container) {
        return sample.report().containers().stream()
                .filter(report -> report.container().equals(container))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Returns the application that a container id names: {@code application_1_2} of {@code container_e3_1_2_01_000004}; empty if it is no
     * container id.
     */
    static String applicationOf(String container) {
        String[] parts = container.split("_", -1);
        int first = parts.length > 1 && parts[1].startsWith("e") ? 2 : 1;
        return parts.length == first + 4 && parts[0].equals("container")
                ? "application_" + parts[first] + "_" + parts[first + 1]
                : "";
    }
}
