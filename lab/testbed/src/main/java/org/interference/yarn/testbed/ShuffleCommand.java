package org.interference.yarn.testbed;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.interference.yarn.profile.ProfileRepository.Change;
import org.interference.yarn.profile.store.LocalDirectory;
import org.interference.yarn.profile.store.ProfileStore;
import org.interference.yarn.sim.policy.Shuffled;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Makes a placebo of what was learnt. */
@Command(name = "shuffle", description = "Gives each profile in a store the signals of another one.")
final class ShuffleCommand implements Callable<Integer> {
    private static final long SMALLEST_LOG = 1 << 20;

    @Option(names = "--profiles", required = true, description = "The store, which nobody has open.")
    private Path profiles;

    @Option(names = "--seed", required = true)
    private long seed;

    @Override
    public Integer call() throws IOException {
        ProfileStore.Opened opened = ProfileStore.open(
                new LocalDirectory(profiles), InstantSource.system().instant(), SMALLEST_LOG);
        try (ProfileStore store = opened.store()) {
            store.append(Shuffled.of(opened.profiles(), seed).stream()
                    .map(profile -> new Change(profile.key(), Optional.of(profile)))
                    .toList());
        }
        return 0;
    }
}
