package org.interference.yarn.profile;

import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Signal;

/**
 * What is known of one kind of task. Immutable.
 *
 * @param samples how many finished tasks it stands on
 * @param signals of each signal, the moments of the tasks' mean levels; a signal never measured is absent
 */
public record TaskProfile(
        TaskKey key, long samples, Map<Signal, Moments> signals, Moments runTimeSeconds, Instant updated) {
    public TaskProfile {
        EnumMap<Signal, Moments> copy = new EnumMap<>(Signal.class);
        copy.putAll(signals);
        signals = Collections.unmodifiableMap(copy);
    }

    public static TaskProfile empty(TaskKey key) {
        return new TaskProfile(key, 0, Map.of(), Moments.NONE, Instant.EPOCH);
    }

    /** Returns this profile with {@code sample} in it. */
    public TaskProfile with(TaskSample sample) {
        EnumMap<Signal, Moments> next = new EnumMap<>(Signal.class);
        next.putAll(signals);
        sample.mean()
                .levels()
                .forEach((signal, level) ->
                        next.put(signal, next.getOrDefault(signal, Moments.NONE).with(level)));
        return new TaskProfile(
                key,
                samples + 1,
                next,
                runTimeSeconds.with(sample.runTime().toMillis() / 1000.0),
                sample.finishedAt().isAfter(updated) ? sample.finishedAt() : updated);
    }

    /** Returns the load that a task of this kind is expected to bring: the mean of each signal. */
    public InterferenceVector load() {
        EnumMap<Signal, Double> levels = new EnumMap<>(Signal.class);
        signals.forEach((signal, moments) -> levels.put(signal, moments.mean()));
        return new InterferenceVector(levels);
    }
}
