package org.interference.yarn.learn;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.predict.Situation;
import org.interference.yarn.profile.Company;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;

/**
 * Watches what running containers have beside them, and makes an observation of each that finishes. Thread-safe. Bounded: of more
 * containers and kinds than it can hold, some teach nothing; a container takes some 300 bytes.
 */
public final class SlowdownObserver {
    private static final int MOST_CONTAINERS = 400_000;
    private static final int MOST_KINDS = 2000;
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);
    /** Of the looks, in which somebody was there of whom nobody knows whether he pressed on anything: then it is not known who was beside. */
    private static final double MOST_UNKNOWN = 0.25;

    private final ProfileRepository profiles;
    private final Map<String, Seen> running = new HashMap<>();
    private final Map<String, RunTimesAlone> alone = new RecentlyUsed<>(MOST_KINDS);
    /** By kind: whose task it was that ran alone last. The tasks of one application have its input, and are one run. */
    private final Map<String, String> lastAlone = new RecentlyUsed<>(MOST_KINDS);

    private final UndisturbedWork undisturbed = new UndisturbedWork(MOST_KINDS);

    public SlowdownObserver(ProfileRepository profiles) {
        this.profiles = profiles;
    }

    /**
     * What was beside a container.
     *
     * @param beside the mean over {@code looks}
     * @param unknown the looks at which a neighbour was not measured
     * @param unclear the looks at which it is not known of a neighbour whether it pressed on anything: those, and where some resource was not measured
     * @param before how long its node had observed it at the first look
     */
    private record Seen(Situation beside, long looks, long unknown, long unclear, Duration before, Instant at) {
        static Seen begin(Duration before, Instant now) {
            return new Seen(Situation.of(InterferenceVector.EMPTY, Neighbours.NONE), 0, 0, 0, before, now);
        }

        Seen with(Situation newest, boolean isUnknown, boolean isUnclear, Instant now) {
            return new Seen(
                    beside.mixedWith(newest, 1.0 / (looks + 1)),
                    looks + 1,
                    unknown + (isUnknown ? 1 : 0),
                    unclear + (isUnclear ? 1 : 0),
                    before,
                    now);
        }

        /** Returns whether it is known who was beside a container that was observed for so long: somebody looked from about its beginning on. */
        boolean isOf(Duration observed) {
            return Company.isSeen(before, observed) && unknown <= MOST_UNKNOWN * looks;
        }

        /** Returns whether its neighbours are known to have been as good as none. */
        boolean isQuiet() {
            return unclear <= MOST_UNKNOWN * looks && Company.isQuiet(beside::beside);
        }
    }

    /** Looks at what the scheduler has put on a node; each look counts the same. For every report as it comes. */
    public synchronized void look(NodeSample sample, Instant now) {
        Map<String, InterferenceVector> loads = new LinkedHashMap<>();
        sample.running().forEach((container, measured) -> loads.put(container, measured.demand()));
        Neighbours all = Neighbours.of(loads.values());
        Sight sight = Sight.of(sample);
        sample.own().forEach(report -> {
            String container = report.container();
            InterferenceVector load = loads.get(container);
            if (load == null) {
                return;
            }
            Situation beside = Situation.of(InterferenceVector.EMPTY, all.without(load));
            Seen before = running.get(container);
            if (before == null && running.size() >= MOST_CONTAINERS) {
                return;
            }
            Seen seen = before == null ? Seen.begin(report.observed(), now) : before;
            boolean isUnclear = !sight.isClearBeside(sample.running().get(container));
            running.put(container, seen.with(beside, sight.unmeasured() > 0, isUnclear, now));
        });
    }

    /**
     * Returns what tasks teach that have finished.
     *
     * @param finished oldest first, each once
     */
    public synchronized List<Observation> finished(List<FinishedTask> finished) {
        List<Observation> observations = new ArrayList<>();
        for (FinishedTask task : finished) {
            Seen seen = running.remove(task.completed().container());
            if (seen != null
                    && task.outcome() == FinishedTask.Outcome.PROFILED
                    && !task.completed().applicationMaster()) {
                task.report().flatMap(report -> observation(task, report, seen)).ifPresent(observations::add);
            }
        }
        return observations;
    }

    private Optional<Observation> observation(FinishedTask task, ContainerReport report, Seen seen) {
        if (!seen.isOf(report.observed())) {
            return Optional.empty();
        }
        InterferenceVector mean = task.scale().of(report.mean());
        Optional<TaskProfile> profile = profiles.find(task.completed().task(), report.launch(), mean);
        if (profile.isEmpty()) {
            return Optional.empty();
        }
        String kind = profile.get().key().text();
        double seconds = report.observed().toMillis() / 1000.0;
        Situation situation =
                seen.beside().of(task.scale().inverse().of(profile.get().load()));
        // Of a part of a task its run time says nothing.
        RunTimesAlone compared = task.whole() ? alone.getOrDefault(kind, RunTimesAlone.NEVER) : RunTimesAlone.NEVER;
        Optional<Label> label = Labels.of(
                seconds,
                compared.times(),
                WorkRates.ofWaiting(report.mean(), task.node().cpus()),
                measure -> undisturbed.slowdown(measure, kind, mean, task.scale()));
        boolean quiet = seen.isQuiet();
        if (quiet && task.whole() && isAnother(kind, task.completed().application())) {
            alone.merge(kind, RunTimesAlone.NEVER.with(seconds), (before, one) -> before.with(seconds));
        }
        undisturbed.add(kind, mean, task.scale(), quiet);
        return label.map(known -> new Observation(task.finishedAt(), kind, situation, known));
    }

    private boolean isAnother(String kind, String application) {
        return !application.equals(lastAlone.put(kind, application));
    }

    /** Returns what it knows of kinds of tasks, with {@code samples} made of it. */
    public synchronized Experience experience(Experience.Samples samples) {
        return new Experience(samples, alone, undisturbed.kinds());
    }

    /** Goes on from what an earlier life knew of kinds of tasks. */
    public synchronized void restore(Experience experience) {
        alone.putAll(experience.alone());
        undisturbed.restore(experience.undisturbed());
    }

    /** Forgets containers that nobody reports any more. */
    public synchronized void sweep(Instant now) {
        running.values().removeIf(seen -> seen.at().isBefore(now.minus(FORGOTTEN_AFTER)));
    }
}
