package org.interference.yarn.learn;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.profile.Company;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.ResourceUse;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskSample;
import org.interference.yarn.signal.Capacities;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Scale;
import org.interference.yarn.signal.Signal;

/**
 * What running tasks teach before they end: their company and peaks, what their stage is, and of long-lived ones
 * a sample every ten minutes. Thread-safe; one thread observes every report as it comes, any may ask. Bounded: of more containers than it can
 * hold, some teach nothing before they end.
 *
 * <p>The mean since the last sample comes from the cumulative means {@code m1}, {@code m2} at ages {@code t1}, {@code t2}:
 * {@code (m2 t2 - m1 t1) / (t2 - t1)}. This is exact for what is a share of time, and for the cache miss ratio as far as
 * its references come evenly. A mean travels with an error of one part in 130,000, which {@code t1 / (t2 - t1)} makes larger: reports that are
 * nearer than ten seconds say nothing of the time between them. No mean is higher than any level can be.
 */
public final class RunningTasks {
    private static final int MOST_CONTAINERS = 400_000;
    /** Of so many that run at once it is kept how their use goes: 20 MB. */
    private static final int MOST_SERIES = 30_000;
    /** How old a container is when it counts as long-lived; also how often it then adds to its profile. */
    static final Duration LONG_LIVED = Duration.ofMinutes(10);

    /** A container that no report has named for so long is gone, whatever became of its completion. */
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);

    /** Between two reports that say something of that time. */
    private static final Duration LEAST_BETWEEN = Duration.ofSeconds(10);

    private final ProfileRepository profiles;
    private final Function<String, Optional<TaskIdentity>> tasks;
    private final int most;
    private final ConcurrentMap<String, Life> lives = new ConcurrentHashMap<>();

    /** @param tasks who runs in a container, by its id; empty if nobody knows */
    public RunningTasks(ProfileRepository profiles, Function<String, Optional<TaskIdentity>> tasks) {
        this(profiles, tasks, MOST_CONTAINERS);
    }

    /** @param most how many containers it can hold */
    RunningTasks(ProfileRepository profiles, Function<String, Optional<TaskIdentity>> tasks, int most) {
        this.profiles = profiles;
        this.tasks = tasks;
        this.most = most;
    }

    /** Looks at a node; a sample that was looked at before teaches nothing, nor does a container that the scheduler put elsewhere. */
    public void observe(NodeSample sample, Instant now) {
        Map<String, InterferenceVector> loads = sample.running();
        InterferenceVector all = InterferenceVector.sum(loads.values());
        Sight sight = Sight.of(sample);
        for (ContainerReport report : sample.own()) {
            InterferenceVector own = loads.get(report.container());
            if (own != null && report.isMeasured()) {
                boolean alone = sight.isClearBeside(own) && isQuiet(all, own);
                observe(report, own, alone, sample.scale(), now);
            }
        }
    }

    /** Returns whether a node with {@code all} is quiet but for {@code own}. */
    private static boolean isQuiet(InterferenceVector all, InterferenceVector own) {
        return Company.isQuiet(signal -> all.levelOr(signal, 0) - own.levelOr(signal, 0));
    }

    private void observe(ContainerReport report, InterferenceVector newest, boolean alone, Scale scale, Instant now) {
        Life before = lives.get(report.container());
        if (before == null && lives.size() >= most) {
            return;
        }
        if (before == null || before.observed().compareTo(report.observed()) > 0) {
            // New, or its node has begun to observe it anew.
            lives.put(
                    report.container(),
                    Life.begin(report, newest, alone, before != null, lives.size() < MOST_SERIES, now));
            tasks.apply(report.container())
                    .flatMap(TaskIdentity::stage)
                    .ifPresent(stage -> profiles.seen(stage, report.launch(), scale.of(report.mean())));
            return;
        }
        if (before.observed().equals(report.observed())) {
            return;
        }
        Life life = before.with(report, newest, alone, now);
        Duration learnt = life.mark().map(ContainerReport::observed).orElse(Duration.ZERO);
        if (report.observed().minus(learnt).compareTo(LONG_LIVED) >= 0) {
            learn(life, report, scale, now);
            life = life.marked(report);
        }
        lives.put(report.container(), life);
    }

    /** Learns what it did since that was last learnt of it. */
    private void learn(Life life, ContainerReport report, Scale scale, Instant now) {
        InterferenceVector mean =
                life.mark().map(learnt -> between(learnt, report)).orElseGet(report::mean);
        tasks.apply(report.container())
                .ifPresent(task -> profiles.record(new TaskSample(
                        task,
                        scale.of(mean),
                        scale.of(life.highest()),
                        Optional.empty(),
                        now,
                        report.launch(),
                        life.company())));
    }

    /**
     * Returns what the end of {@code task} teaches, which was last reported as {@code last}, and forgets its container.
     *
     * @param whole whether that is of about all the time that it ran
     * @param scale of the node that reported it
     */
    TaskSample ended(TaskIdentity task, ContainerReport last, boolean whole, Scale scale, Instant now) {
        Optional<Life> life = Optional.ofNullable(lives.remove(last.container()));
        Optional<ContainerReport> mark = life.flatMap(Life::mark).filter(learnt -> areApart(learnt, last));
        return new TaskSample(
                task,
                scale.of(mark.map(learnt -> between(learnt, last)).orElseGet(last::mean)),
                scale.of(life.map(Life::highest).orElse(InterferenceVector.EMPTY)),
                whole ? Optional.of(last.observed()) : Optional.empty(),
                now,
                last.launch(),
                life.map(Life::company).orElse(Company.UNKNOWN));
    }

    /**
     * Returns what a task that ends was given and used. Its peak is the highest of the windows that were reported while it ran.
     *
     * @param node on which it ran
     * @return empty if its memory was not measured while it ran, or if it is not known what it was given or how much memory its node has
     */
    Optional<ResourceUse> use(
            ContainerReport last, Capacities node, Optional<CompletedContainer.Given> given, boolean exhausted) {
        OptionalDouble mean = last.mean().level(Signal.MEM);
        double peak = Optional.ofNullable(lives.get(last.container()))
                .map(Life::memory)
                .orElse(Double.NaN);
        if (given.isEmpty() || mean.isEmpty() || Double.isNaN(peak) || Double.isNaN(node.memoryBytes())) {
            return Optional.empty();
        }
        OptionalDouble cpu = last.mean().level(Signal.CPU);
        return Optional.of(new ResourceUse(
                given.get().memoryBytes(),
                given.get().vcores(),
                last.observed().toMillis() / 1000.0,
                Math.max(peak, mean.getAsDouble()) * node.memoryBytes(),
                mean.getAsDouble() * node.memoryBytes(),
                cpu.isEmpty() || Double.isNaN(node.cpus())
                        ? OptionalDouble.empty()
                        : OptionalDouble.of(cpu.getAsDouble() * node.cpus()),
                node.memoryBytes(),
                exhausted));
    }

    /** Returns what a container used that was last reported as {@code last}; empty if none is kept. */
    Optional<ContainerUse> usage(ContainerReport last) {
        Optional<Life> life = Optional.ofNullable(lives.get(last.container()));
        OptionalDouble peak = life.map(Life::memory)
                .filter(memory -> !Double.isNaN(memory))
                .map(OptionalDouble::of)
                .orElse(OptionalDouble.empty());
        return life.isEmpty()
                ? Optional.of(new ContainerUse(UseSeries.begin(last), peak))
                : life.get().series().map(series -> new ContainerUse(series.endedBy(last), peak));
    }

    /** Returns whether its node has begun anew to observe a container while it ran, as one whose NodeManager was restarted. */
    boolean isObservedAnew(String container) {
        Life life = lives.get(container);
        return life != null && life.anew();
    }

    /** Forgets a container that ends without teaching anything. */
    void forget(String container) {
        lives.remove(container);
    }

    /** Forgets containers that nobody reports any more. */
    public void sweep(Instant now) {
        lives.values().removeIf(life -> life.seenAt().isBefore(now.minus(FORGOTTEN_AFTER)));
    }

    private static boolean areApart(ContainerReport from, ContainerReport to) {
        return to.observed().minus(from.observed()).compareTo(LEAST_BETWEEN) >= 0;
    }

    /** Returns the mean levels between two reports of one container that are {@link #areApart}. */
    static InterferenceVector between(ContainerReport from, ContainerReport to) {
        double fromSeconds = from.observed().toMillis() / 1000.0;
        double toSeconds = to.observed().toMillis() / 1000.0;
        InterferenceVector before = from.mean();
        EnumMap<Signal, Double> levels = new EnumMap<>(Signal.class);
        to.mean().levels().forEach((signal, mean) -> {
            double earlier = before.level(signal).orElse(mean);
            double since = (mean * toSeconds - earlier * fromSeconds) / (toSeconds - fromSeconds);
            levels.put(signal, Math.min(signal.highest(), Math.max(0, since)));
        });
        return new InterferenceVector(levels);
    }
}
