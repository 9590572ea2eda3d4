package org.interference.yarn.profile;

import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.LaunchSignature;

/** What tasks of the newest stages turned out to be; the next task of a stage is the same. Thread-safe, bounded. */
final class StageMemory {
    private static final int KEPT = 10_000;

    private final ConcurrentMap<String, Seen> seen = new ConcurrentHashMap<>();
    private final Queue<String> oldestFirst = new ConcurrentLinkedQueue<>();

    record Seen(Optional<LaunchSignature> launch, InterferenceVector levels) {}

    void put(String stage, Seen task) {
        if (seen.put(stage, task) == null) {
            oldestFirst.add(stage);
            if (seen.size() > KEPT) {
                seen.remove(oldestFirst.remove());
            }
        }
    }

    Optional<Seen> of(String stage) {
        return Optional.ofNullable(seen.get(stage));
    }
}
