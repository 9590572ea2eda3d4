package org.interference.yarn.learn;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.ResourceUse;
import org.interference.yarn.profile.TaskSample;
import org.interference.yarn.signal.Capacities;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.Scale;

/**
 * Joins the two ends of a task: YARN says that its container completed, and its node sends the last report. Thread-safe.
 *
 * <p>The two come on different threads, in any order. A completed container waits for its last report, but for at most
 * {@value #REPORTS_AWAITED} reports of its node or {@link #PATIENCE}; then the newest report so far has to do. One that ends with its application
 * waits for as long at most until it is known what became of that.
 */
public final class FinishedTasks {
    private static final int REPORTS_AWAITED = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int KEPT = 1000;
    /** More than finish on 10,000 nodes while the learning thread is busy for some seconds. */
    private static final int MOST_UNLEARNT = 50_000;

    private final ProfileRepository profiles;
    private final RunningTasks running;
    private final Fates fates;
    /** By container id, in the order of completion; none is empty. One node's is read and changed only while its entry is computed. */
    private final ConcurrentMap<String, Map<String, Waiting>> waitingByNode = new ConcurrentHashMap<>();

    private final Map<String, FinishedTask> newest = new LinkedHashMap<>();
    /** What {@link #drain} has not given yet, oldest first. Guarded by {@link #newest}. */
    private final Deque<FinishedTask> unlearnt = new ArrayDeque<>();

    private final Map<FinishedTask.Outcome, Long> outcomes = new EnumMap<>(FinishedTask.Outcome.class);

    /** Says what became of what a container belonged to; only {@link #sweep} asks, and holds no lock meanwhile. */
    @FunctionalInterface
    public interface Fates {
        /** Returns whether the application's attempt that had {@code container} has done its work; empty while it runs, and where nobody knows. */
        Optional<Boolean> succeeded(String container);
    }

    public FinishedTasks(ProfileRepository profiles, RunningTasks running, Fates fates) {
        this.profiles = profiles;
        this.running = running;
        this.fates = fates;
    }

    /** What is known of a container's node. */
    private record Node(Scale scale, Capacities capacities) {
        static final Node UNKNOWN = new Node(Scale.ONE, Capacities.UNKNOWN);

        static Node of(NodeSample sample) {
            return new Node(sample.scale(), sample.capacities());
        }
    }

    private record Waiting(
            CompletedContainer container, Instant since, Optional<ContainerReport> report, Node node, int reportsSeen) {
        boolean endsWithApplication() {
            return container.ending() == CompletedContainer.Ending.WITH_APPLICATION;
        }

        boolean isOver() {
            boolean reported = reportsSeen >= REPORTS_AWAITED
                    || report.filter(ContainerReport::ended).isPresent();
            return reported && !endsWithApplication();
        }

        /** @param succeeded what became of its application */
        private Waiting after(boolean succeeded) {
            CompletedContainer.Ending ending =
                    succeeded ? CompletedContainer.Ending.DONE : CompletedContainer.Ending.CUT_SHORT;
            return endsWithApplication()
                    ? new Waiting(container.ended(ending), since, report, node, reportsSeen)
                    : this;
        }

        private Waiting seenAgain(Optional<ContainerReport> newest, Node newestNode) {
            return new Waiting(
                    container, since, newest.or(this::report), newest.isPresent() ? newestNode : node, reportsSeen + 1);
        }
    }

    /**
     * Takes a container that completed; a second time it is ignored. Called under the scheduler's lock: it takes as long whether none or
     * a thousand wait.
     *
     * @param sample the newest of its node, if there is one
     */
    public void completed(CompletedContainer container, Optional<NodeSample> sample, Instant now) {
        String id = container.container();
        if (isKnown(id)) {
            return;
        }
        Waiting waiting = new Waiting(
                container,
                now,
                sample.flatMap(newest -> report(newest, id)),
                sample.map(Node::of).orElse(Node.UNKNOWN),
                0);
        waitingByNode.compute(container.node(), (node, held) -> {
            if (held != null && held.containsKey(id)) {
                return held;
            }
            if (waiting.isOver()) {
                conclude(waiting, now);
                return held;
            }
            Map<String, Waiting> all = held == null ? new LinkedHashMap<>() : held;
            all.put(id, waiting);
            return all;
        });
    }

    /** Takes a new sample: the last reports of completed containers may be in it. */
    public void sampled(NodeSample sample) {
        waitingByNode.computeIfPresent(sample.node(), (node, held) -> {
            Map<String, ContainerReport> reports = new HashMap<>();
            for (ContainerReport report : sample.report().containers()) {
                if (held.containsKey(report.container())) {
                    reports.putIfAbsent(report.container(), report);
                }
            }
            Node told = Node.of(sample);
            held.replaceAll((id, waiting) -> waiting.seenAgain(Optional.ofNullable(reports.get(id)), told));
            return concludeIf(Waiting::isOver, held, sample.receivedAt());
        });
    }

    /** Concludes what has waited too long: its node may be gone; and what ended with an application that has ended. */
    public void sweep(Instant now) {
        settle(now);
        for (String node : waitingByNode.keySet()) {
            waitingByNode.computeIfPresent(node, (same, held) -> {
                // The oldest is the first.
                if (!held.values().iterator().next().since().plus(PATIENCE).isBefore(now)) {
                    return held;
                }
                return concludeIf(waiting -> waiting.since().plus(PATIENCE).isBefore(now), held, now);
            });
        }
    }

    /** Asks what became of applications while no node's entry is held: who completes a container holds the scheduler's lock, and waits for that. */
    private void settle(Instant now) {
        List<Waiting> open = new ArrayList<>();
        for (String node : waitingByNode.keySet()) {
            waitingByNode.computeIfPresent(node, (same, held) -> {
                held.values().stream().filter(Waiting::endsWithApplication).forEach(open::add);
                return held;
            });
        }
        for (Waiting waiting : open) {
            String id = waiting.container().container();
            fates.succeeded(id)
                    .ifPresent(succeeded ->
                            waitingByNode.computeIfPresent(waiting.container().node(), (same, held) -> {
                                held.computeIfPresent(id, (known, newest) -> newest.after(succeeded));
                                return concludeIf(Waiting::isOver, held, now);
                            }));
        }
    }

    /** Returns the newest finished tasks, oldest first. */
    public List<FinishedTask> newest() {
        synchronized (newest) {
            return new ArrayList<>(newest.values());
        }
    }

    /** Returns one of the newest finished tasks, by its container. */
    public Optional<FinishedTask> of(String container) {
        synchronized (newest) {
            return Optional.ofNullable(newest.get(container));
        }
    }

    /** Returns what has finished since the last call, oldest first; of more than fifty thousand, the newest. */
    public List<FinishedTask> drain() {
        synchronized (newest) {
            List<FinishedTask> drained = new ArrayList<>(unlearnt);
            unlearnt.clear();
            return drained;
        }
    }

    /** Returns how often each outcome happened. */
    public Map<FinishedTask.Outcome, Long> outcomes() {
        synchronized (newest) {
            EnumMap<FinishedTask.Outcome, Long> counts = new EnumMap<>(FinishedTask.Outcome.class);
            for (FinishedTask.Outcome outcome : FinishedTask.Outcome.values()) {
                counts.put(outcome, outcomes.getOrDefault(outcome, 0L));
            }
            return Collections.unmodifiableMap(counts);
        }
    }

    private boolean isKnown(String container) {
        synchronized (newest) {
            return newest.containsKey(container);
        }
    }

    /** Returns null if none is left. */
    private Map<String, Waiting> concludeIf(Predicate<Waiting> over, Map<String, Waiting> waiting, Instant now) {
        waiting.values().removeIf(candidate -> {
            boolean isOver = over.test(candidate);
            if (isOver) {
                conclude(candidate, now);
            }
            return isOver;
        });
        return waiting.isEmpty() ? null : waiting;
    }

    private void conclude(Waiting ended, Instant now) {
        // An application that goes on has let it go.
        Waiting waiting = ended.after(true);
        FinishedTask.Outcome outcome = outcome(waiting);
        boolean whole = waiting.report()
                .filter(last ->
                        waiting.container().isWhole(last.observed()) && !running.isObservedAnew(last.container()))
                .isPresent();
        FinishedTask finished = new FinishedTask(
                waiting.container(),
                now,
                waiting.report(),
                waiting.node().scale(),
                waiting.node().capacities(),
                outcome,
                waiting.report().flatMap(running::usage),
                whole);
        synchronized (newest) {
            if (newest.putIfAbsent(waiting.container().container(), finished) != null) {
                return;
            }
            outcomes.merge(outcome, 1L, Long::sum);
            if (newest.size() > KEPT) {
                newest.remove(newest.keySet().iterator().next());
            }
        }
        learn(waiting, outcome, whole, now);
        // Not before: what is learnt of a task is filed under its profile.
        synchronized (newest) {
            unlearnt.addLast(finished);
            if (unlearnt.size() > MOST_UNLEARNT) {
                unlearnt.removeFirst();
            }
        }
    }

    private void learn(Waiting waiting, FinishedTask.Outcome outcome, boolean whole, Instant now) {
        CompletedContainer container = waiting.container();
        boolean exhausted = container.ending() == CompletedContainer.Ending.EXHAUSTED;
        if (waiting.report().isEmpty() || (outcome != FinishedTask.Outcome.PROFILED && !exhausted)) {
            running.forget(container.container());
            return;
        }
        ContainerReport last = waiting.report().get();
        // For how long it used what it was given is not known of a part.
        Optional<ResourceUse> use = whole || exhausted
                ? running.use(last, waiting.node().capacities(), container.given(), exhausted)
                : Optional.empty();
        TaskSample sample = running.ended(
                        container.task(), last, whole, waiting.node().scale(), now)
                .using(use);
        if (exhausted) {
            profiles.exhausted(sample);
        } else {
            profiles.record(sample);
        }
    }

    private static FinishedTask.Outcome outcome(Waiting waiting) {
        if (waiting.container().cutShort()) {
            return FinishedTask.Outcome.CUT_SHORT;
        }
        return waiting.report().filter(report -> !report.mean().isEmpty()).isPresent()
                ? FinishedTask.Outcome.PROFILED
                : FinishedTask.Outcome.NEVER_MEASURED;
    }

    private static Optional<ContainerReport> report(NodeSample sample, String container) {
        for (ContainerReport report : sample.report().containers()) {
            if (report.container().equals(container)) {
                return Optional.of(report);
            }
        }
        return Optional.empty();
    }
}
