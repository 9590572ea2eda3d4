package org.interference.yarn.place;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;

/** The kinds of task that are being placed. Thread-safe. */
final class TaskKinds {
    /** As long a kind is held still: what is learnt in this time of it, and by the model, waits. */
    private static final Duration HELD = Duration.ofSeconds(5);

    /** Costs are remembered of about so many at once, on each node: some 100 bytes each. */
    static final int SLOTS = 64;

    /** Of further ones the profile is looked up each time. */
    private static final int MOST_TASKS = 10_000;

    private final SlowdownPredictor predictor;
    private final ConcurrentMap<TaskKey, Held> kinds = new ConcurrentHashMap<>();
    private final AtomicInteger slots = new AtomicInteger();
    /** Who predicts for whoever is beside a newcomer: one object for all kinds until it is another. */
    private volatile SlowdownPredictor neighbours;

    /** The same by task: finding a profile takes longer than a decision. */
    private final ConcurrentMap<TaskIdentity, Known> tasks = new ConcurrentHashMap<>();

    private record Held(TaskKind kind, Instant until) {}

    /** What a task is placed as. */
    record Known(TaskProfile profile, TaskKind kind, Instant until) {}

    TaskKinds(SlowdownPredictor predictor) {
        this.predictor = predictor;
        this.neighbours = predictor.of("");
    }

    /** Returns what {@code task} is placed as; empty as long as {@code profiles} have none of it. */
    Optional<Known> of(TaskIdentity task, ProfileRepository profiles, Instant now) {
        Known known = tasks.get(task);
        if (known != null && !now.isAfter(known.until())) {
            return Optional.of(known);
        }
        return profiles.find(task).map(profile -> {
            Known next = new Known(profile, of(profile, now), now.plus(HELD));
            if (known != null || tasks.size() < MOST_TASKS) {
                tasks.put(task, next);
            }
            return next;
        });
    }

    private TaskKind of(TaskProfile profile, Instant now) {
        Held held = kinds.get(profile.key());
        if (held != null && !now.isAfter(held.until())) {
            return held.kind();
        }
        int slot = held == null
                ? slots.getAndUpdate(last -> (last + 1) % SLOTS)
                : held.kind().slot();
        TaskKind next = new TaskKind(slot, profile, predictor, neighbours());
        // As long as nothing was learnt, what was worked out stays right.
        TaskKind kind = held != null && held.kind().isLike(next) ? held.kind() : next;
        kind.wasAloneIf(next);
        kinds.put(profile.key(), new Held(kind, now.plus(HELD)));
        return kind;
    }

    private SlowdownPredictor neighbours() {
        SlowdownPredictor next = predictor.of("");
        if (!next.equals(neighbours)) {
            neighbours = next;
        }
        return neighbours;
    }

    /** Returns whether anything was placed as a known kind of late. */
    boolean isAny() {
        return !tasks.isEmpty();
    }

    /** Forgets kinds that nobody has placed lately. */
    void sweep(Instant now) {
        kinds.values().removeIf(held -> held.until().plus(HELD).isBefore(now));
        tasks.values().removeIf(known -> known.until().plus(HELD).isBefore(now));
    }
}
