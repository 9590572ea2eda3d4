package org.interference.yarn.profile;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * What is known of one kind of task. Immutable.
 *
 * @param samples how many finished tasks it stands on, and parts of long-lived ones
 * @param signals of each signal, the averages of the samples' mean levels; a signal never measured is absent
 * @param mixture empty for a key that is coarse, or already a part by counters: those are not split
 * @param footprint what these tasks were given and used; nothing for a key that is coarse, as there is no advice for it
 * @param updated when the newest sample ended
 */
public record TaskProfile(
        TaskKey key,
        long samples,
        Map<Signal, Averages> signals,
        RunTimes runTimes,
        Mixture mixture,
        Footprint footprint,
        Instant updated) {
    private static final Duration CLOCKS_DIFFER = Duration.ofDays(1);

    public TaskProfile {
        Objects.requireNonNull(key, "key is null");
        Objects.requireNonNull(runTimes, "runTimes is null");
        Objects.requireNonNull(mixture, "mixture is null");
        Objects.requireNonNull(footprint, "footprint is null");
        Objects.requireNonNull(updated, "updated is null");
        if (samples < 0) {
            throw new IllegalArgumentException("samples must be >= 0, got " + samples);
        }
        signals = copy(signals);
    }

    /** A profile of a key that is not polluted. */
    public TaskProfile(
            TaskKey key, long samples, Map<Signal, Averages> signals, Averages runTimeSeconds, Instant updated) {
        this(
                key,
                samples,
                signals,
                new RunTimes(runTimeSeconds, Averages.NONE, Averages.NONE),
                Mixture.NONE,
                Footprint.NONE,
                updated);
    }

    public static TaskProfile empty(TaskKey key) {
        return new TaskProfile(key, 0, Map.of(), Averages.NONE, Instant.EPOCH);
    }

    private static Map<Signal, Averages> copy(Map<Signal, Averages> averages) {
        EnumMap<Signal, Averages> copy = new EnumMap<>(Signal.class);
        copy.putAll(averages);
        return Collections.unmodifiableMap(copy);
    }

    /** Returns this profile with {@code sample} in it. */
    public TaskProfile with(TaskSample sample) {
        return with(sample, false);
    }

    /** @param divisible whether to watch for several kinds of task under this key */
    TaskProfile with(TaskSample sample, boolean divisible) {
        return new TaskProfile(
                key,
                samples + 1,
                with(signals, sample),
                sample.runTime()
                        .map(time -> runTimes.with(time.toMillis() / 1000.0, sample.company()))
                        .orElse(runTimes),
                divisible ? mixture.with(sample.launch(), sample.mean()) : mixture,
                with(sample.use()),
                sample.finishedAt().isAfter(updated) ? sample.finishedAt() : updated);
    }

    private Footprint with(Optional<ResourceUse> use) {
        return key.level().isCoarse() ? footprint : use.map(footprint::with).orElse(footprint);
    }

    /** Returns this profile with a task that is no sample of anything but of the memory that it needed. */
    TaskProfile withExhausted(ResourceUse use) {
        return new TaskProfile(key, samples, signals, runTimes, mixture, with(Optional.of(use)), updated);
    }

    private static Map<Signal, Averages> with(Map<Signal, Averages> averages, TaskSample sample) {
        EnumMap<Signal, Averages> next = new EnumMap<>(Signal.class);
        next.putAll(averages);
        sample.mean()
                .levels()
                .forEach((signal, level) -> next.put(
                        signal,
                        next.getOrDefault(signal, Averages.NONE)
                                .with(level, sample.peak().level(signal).orElse(level))));
        return next;
    }

    /**
     * Returns this profile with the signals of a class, as far as that has them.
     *
     * @param name of the class
     */
    public TaskProfile of(String name, InterferenceVector levels) {
        EnumMap<Signal, Averages> ofClass = new EnumMap<>(Signal.class);
        ofClass.putAll(signals);
        levels.levels().forEach((signal, level) -> ofClass.put(signal, Averages.constant(samples, level)));
        return new TaskProfile(
                new TaskKey(TaskKey.Level.CLASS, name),
                samples,
                ofClass,
                runTimes,
                Mixture.NONE,
                Footprint.NONE,
                updated);
    }

    /** Returns {@code other} if its newest sample is later than that of {@code held}, else that. */
    public static TaskProfile newer(TaskProfile held, TaskProfile other) {
        return held.updated().isBefore(other.updated()) ? other : held;
    }

    /**
     * Refuses what nobody can have measured.
     *
     * @throws IllegalArgumentException if its newest task is later than {@code now}, give or take a day: no task would ever be newer, and it would not age; or if
     *     a level is higher than any container can have
     */
    public void requirePlausible(Instant now) {
        if (updated.isAfter(now.plus(CLOCKS_DIFFER))) {
            throw new IllegalArgumentException("%s is of %s, and it is %s".formatted(key.text(), updated, now));
        }
        signals.forEach((signal, levels) -> {
            double highest = Math.max(levels.peak(), Math.max(levels.mean(), levels.fast()));
            if (highest > signal.highest()) {
                throw new IllegalArgumentException("%s has %s of %s, and no container can have more than %s"
                        .formatted(key.text(), signal.wireName(), highest, signal.highest()));
            }
        });
    }

    /** Returns this profile under another key. */
    TaskProfile as(TaskKey other) {
        return new TaskProfile(other, samples, signals, runTimes, mixture, footprint, updated);
    }

    /** Returns how long a task of this kind runs. */
    public Averages runTimeSeconds() {
        return runTimes.all();
    }

    /** Returns the load that a task of this kind is expected to bring: the mean of each signal, as a demand. */
    public InterferenceVector load() {
        EnumMap<Signal, Double> levels = new EnumMap<>(Signal.class);
        signals.forEach((signal, values) -> levels.put(signal, values.mean()));
        return new InterferenceVector(levels).predictors().demand();
    }
}
