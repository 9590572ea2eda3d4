package org.interference.yarn.place;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;

/** The kinds of task that are being placed. Thread-safe. */
final class TaskKinds {
    /** As long a kind is held still: what is learnt in this time of it, and by the model, waits. */
    private static final Duration HELD = Duration.ofSeconds(5);

    /** Costs are remembered of about so many at once. */
    private static final int SLOTS = 256;

    private final SlowdownPredictor predictor;
    private final ConcurrentMap<TaskKey, Held> kinds = new ConcurrentHashMap<>();
    private final AtomicInteger slots = new AtomicInteger();

    private record Held(TaskKind kind, Instant until) {}

    TaskKinds(SlowdownPredictor predictor) {
        this.predictor = predictor;
    }

    TaskKind of(TaskProfile profile, Instant now) {
        Held held = kinds.get(profile.key());
        if (held != null && !now.isAfter(held.until())) {
            return held.kind();
        }
        int slot = held == null ? slots.getAndIncrement() % SLOTS : held.kind().slot();
        TaskKind kind = new TaskKind(slot, profile, predictor);
        kinds.put(profile.key(), new Held(kind, now.plus(HELD)));
        return kind;
    }

    /** Forgets kinds that nobody has placed lately. */
    void sweep(Instant now) {
        kinds.values().removeIf(held -> held.until().plus(HELD).isBefore(now));
    }
}
