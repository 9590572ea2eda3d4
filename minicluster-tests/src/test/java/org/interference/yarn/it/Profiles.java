package org.interference.yarn.it;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.interference.yarn.profile.Moments;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.store.ProfileFile;
import org.interference.yarn.signal.Signal;

/** Stores that an earlier life of the cluster might have left. */
final class Profiles {
    private Profiles() {}

    /** Writes a store in which each of {@code keys}, a tag and a role, presses on the CPU by {@code cpu} for a minute. */
    static void store(Path directory, double cpu, List<String> keys) throws IOException {
        ProfileFile file = new ProfileFile(directory);
        file.load(Instant.EPOCH);
        file.save(keys.stream()
                .map(key -> new TaskProfile(
                        new TaskKey(TaskKey.Level.TAG, key),
                        10,
                        Map.of(Signal.CPU, new Moments(10, cpu, 0)),
                        new Moments(10, 60, 0),
                        Instant.EPOCH))
                .toList());
    }
}
