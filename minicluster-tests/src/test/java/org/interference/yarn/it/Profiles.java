package org.interference.yarn.it;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.security.UserGroupInformation;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.ProfileRepository.Change;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.store.LocalDirectory;
import org.interference.yarn.profile.store.ProfileStore;
import org.interference.yarn.signal.Signal;

/** Stores that an earlier life of the cluster might have left. */
final class Profiles {
    private Profiles() {}

    /** Writes a store in which each of {@code keys}, a tag and a role of this user, presses on the CPU by {@code cpu} for a minute. */
    static void store(Path directory, double cpu, List<String> keys) throws IOException {
        String user = UserGroupInformation.getCurrentUser().getShortUserName();
        try (ProfileStore store = ProfileStore.open(new LocalDirectory(directory), Instant.EPOCH, 1 << 20)
                .store()) {
            store.append(keys.stream()
                    .map(key -> new TaskProfile(
                            new TaskKey(TaskKey.Level.TAG, "ifc:" + user + "/" + key),
                            10,
                            Map.of(Signal.CPU, Averages.constant(10, cpu)),
                            Averages.constant(10, 60),
                            Instant.now()))
                    .map(profile -> new Change(profile.key(), Optional.of(profile)))
                    .toList());
        }
    }
}
