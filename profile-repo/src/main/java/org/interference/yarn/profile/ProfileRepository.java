package org.interference.yarn.profile;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/** All profiles, in memory. Thread-safe; a look-up is one or two map reads and takes no lock. */
public final class ProfileRepository {
    private final int minimumSamples;
    private final ConcurrentMap<TaskKey, TaskProfile> profiles = new ConcurrentHashMap<>();
    private final AtomicLong version = new AtomicLong();

    /** @param minimumSamples how many finished tasks a profile needs before it is found, at least 1 */
    public ProfileRepository(int minimumSamples) {
        this.minimumSamples = minimumSamples;
    }

    /** Takes over what an earlier life left in the store; what was learnt meanwhile stays. */
    public void restore(Collection<TaskProfile> stored) {
        stored.forEach(profile -> profiles.putIfAbsent(profile.key(), profile));
    }

    /** Returns the most specific profile with enough samples. */
    public Optional<TaskProfile> find(TaskIdentity task) {
        for (TaskKey key : task.keys()) {
            TaskProfile profile = profiles.get(key);
            if (profile != null && profile.samples() >= minimumSamples) {
                return Optional.of(profile);
            }
        }
        return Optional.empty();
    }

    /** Adds {@code sample} to the profile of every key of its task. */
    public void record(TaskSample sample) {
        for (TaskKey key : sample.task().keys()) {
            profiles.compute(key, (same, held) -> (held == null ? TaskProfile.empty(key) : held).with(sample));
        }
        version.incrementAndGet();
    }

    public List<TaskProfile> all() {
        return List.copyOf(profiles.values());
    }

    /** Returns a number that grows with every change, so that a writer knows whether there is anything to write. */
    public long version() {
        return version.get();
    }
}
