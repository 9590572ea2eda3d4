package org.interference.yarn.testbed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.interference.yarn.profile.Averages;
import org.interference.yarn.profile.ProfileRepository.Change;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.store.LocalDirectory;
import org.interference.yarn.profile.store.ProfileStore;
import org.interference.yarn.signal.Signal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ShuffleCommandTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @TempDir
    private Path directory;

    @Test
    void aStoreKeepsItsKindsAndItsSignalsButNotWhoseTheyAre() throws IOException {
        List<Change> changes = new ArrayList<>();
        for (int kind = 1; kind <= 12; kind++) {
            TaskKey key = new TaskKey(TaskKey.Level.NAME, "yarn/kind%d/task/q/ann".formatted(kind));
            Averages level = Averages.NONE.with(kind);
            changes.add(new Change(
                    key,
                    Optional.of(new TaskProfile(
                            key, kind, Map.of(Signal.CPU, level), Averages.NONE.with(100 + kind), NOW))));
        }
        ProfileStore.Opened opened = ProfileStore.open(new LocalDirectory(directory), NOW, 1 << 20);
        try (ProfileStore store = opened.store()) {
            store.append(changes);
        }

        int status = new CommandLine(new ShuffleCommand()).execute("--profiles", directory.toString(), "--seed", "3");

        Collection<TaskProfile> after = ProfileStore.read(new LocalDirectory(directory));
        Map<Long, Double> bySamples = after.stream()
                .collect(Collectors.toMap(
                        TaskProfile::samples,
                        profile -> profile.signals().get(Signal.CPU).mean()));
        assertThat(status).isZero();
        assertThat(bySamples).hasSize(12);
        assertThat(bySamples.values()).doesNotHaveDuplicates();
        assertThat(bySamples).allSatisfy((samples, level) -> assertThat(level).isNotEqualTo(samples.doubleValue()));
        assertThat(after)
                .allSatisfy(
                        profile -> assertThat(profile.runTimes().all().mean()).isEqualTo(100.0 + profile.samples()));
    }
}
