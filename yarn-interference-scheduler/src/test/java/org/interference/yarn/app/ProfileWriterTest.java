package org.interference.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.profile.ClusterCount;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.ProfileSettings;
import org.interference.yarn.profile.SharedTags;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskSample;
import org.interference.yarn.profile.store.LocalDirectory;
import org.interference.yarn.profile.store.ProfileStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileWriterTest {
    @TempDir
    private Path directory;

    private final ProfileRepository profiles = new ProfileRepository(1);

    @Test
    void nextLifeFindsWhatThisOneLearnt() {
        ProfileWriter writer = writer(profiles, directory);
        writer.load(T0);
        learn();
        writer.save();
        ProfileRepository nextLife = new ProfileRepository(1);

        writer(nextLife, directory).load(T0);

        assertThat(nextLife.find(Tasks.SORT))
                .isEqualTo(profiles.find(Tasks.SORT))
                .isPresent();
    }

    @Test
    void nothingIsWrittenWhileNothingChanges() throws IOException {
        ProfileWriter writer = writer(profiles, directory);
        writer.load(T0);
        learn();
        writer.save();
        long written = bytes();

        writer.save();
        assertThat(bytes()).isEqualTo(written);

        learn();
        writer.save();
        assertThat(bytes()).isGreaterThan(written);
    }

    @Test
    void brokenFileIsReportedAndLearningGoesOn() throws IOException {
        String broken = "profiles-00000001-00000000.snapshot";
        Files.writeString(directory.resolve(broken), "not json");
        ProfileWriter writer = writer(profiles, directory);

        writer.load(T0);
        learn();
        writer.save();

        assertThat(writer.status().problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains(broken + " could not be read"));
        ProfileRepository nextLife = new ProfileRepository(1);
        writer(nextLife, directory).load(T0);
        assertThat(nextLife.find(Tasks.SORT)).isPresent();
    }

    @Test
    void fileThatCannotBeReadIsNotTouched() throws IOException {
        Path unreadable = Files.createDirectory(directory.resolve("profiles-00000001-00000000.snapshot"));
        ProfileWriter writer = writer(profiles, directory);

        writer.load(T0);
        learn();
        writer.save();

        assertThat(unreadable).isDirectory();
        assertThat(writer.status().problem())
                .hasValueSatisfying(problem -> assertThat(problem).endsWith("profiles are kept in memory"));
    }

    @Test
    void directoryThatIsAFileLeavesTheProfilesInMemory() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        ProfileWriter writer = writer(profiles, file);

        writer.load(T0);
        learn();
        writer.save();

        assertThat(profiles.find(Tasks.SORT)).isPresent();
        assertThat(writer.status().problem()).isPresent();
    }

    @Test
    void fileSystemThatCannotBeReachedLeavesTheProfilesInMemory() {
        ProfileWriter writer = new ProfileWriter(
                profiles,
                "hdfs://nowhere/profiles",
                location -> {
                    throw new IOException("no route to host");
                },
                Runnable::run,
                Faults.unlogged());

        writer.load(T0);
        learn();
        writer.save();

        assertThat(profiles.find(Tasks.SORT)).isPresent();
        assertThat(writer.status().problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains("no route to host"));
    }

    @Test
    void writerThatWasReplacedWritesNoMoreAndSaysSo() {
        ProfileWriter active = writer(profiles, directory);
        active.load(T0);
        ProfileRepository nextProfiles = new ProfileRepository(1);
        ProfileWriter next = writer(nextProfiles, directory);
        next.load(T0);

        learn();
        active.save();
        active.save();

        assertThat(active.status().problem()).hasValueSatisfying(problem -> assertThat(problem)
                .endsWith("was taken over by another ResourceManager"));
        next.save();
        assertThat(next.status().problem()).isEmpty();
    }

    /** Cleaners of temporary files delete by age: what was learnt long ago goes before what is written each second. */
    @Test
    void snapshotThatIsTakenAwayIsWrittenAnewWithEverything() throws IOException {
        ProfileWriter first = writer(profiles, directory);
        first.load(T0);
        learn();
        first.save();
        ProfileRepository sameProfiles = new ProfileRepository(1);
        ProfileWriter writer = writer(sameProfiles, directory);
        writer.load(T0);
        Files.delete(onlySnapshot());

        sameProfiles.record(new TaskSample(
                TaskIdentity.of("MAPREDUCE", "Grep", "map", "default", Optional.empty()),
                Vectors.cpu(0.5),
                Duration.ofSeconds(10),
                T0));
        assertThat(writer.save()).isFalse();
        assertThat(writer.status().problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains("somebody has removed files"));
        assertThat(writer.save()).isTrue();

        assertThat(onlySnapshot()).isNotEmptyFile();
        assertThat(writer.status().problem()).isEmpty();
        ProfileRepository nextLife = new ProfileRepository(1);
        writer(nextLife, directory).load(T0);
        assertThat(nextLife.all()).containsExactlyInAnyOrderElementsOf(sameProfiles.all());
        assertThat(nextLife.find(Tasks.SORT)).isPresent();
    }

    private Path onlySnapshot() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".snapshot"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    @Test
    void whatWasDroppedIsGoneAlsoIfTooMuchOfItWaitedToBeWritten() throws IOException {
        ProfileRepository few = new ProfileRepository(
                new ProfileSettings("/unused", 1, 1, 20, Duration.ofDays(1), ClusterCount.BEST, SharedTags.NONE));
        ProfileWriter writer = writer(few, directory);
        writer.load(T0);
        Instant now = T0;
        for (int i = 0; i < 200; i++) {
            now = now.plusSeconds(1);
            few.record(new TaskSample(
                    TaskIdentity.of("MAPREDUCE", "sort", "priority-" + i, "default", Optional.empty()),
                    Vectors.cpu(0.5),
                    Duration.ofSeconds(10),
                    now));
            few.sweep(now);
            if (i == 5) {
                assertThat(writer.save()).isTrue();
            }
        }

        assertThat(writer.save()).isTrue();

        assertThat(few.forgettings()).isPositive();
        assertThat(ProfileStore.read(new LocalDirectory(directory))).containsExactlyInAnyOrderElementsOf(few.all());
        long written = bytes();
        assertThat(writer.save()).isTrue();
        assertThat(bytes()).as("one snapshot is enough").isEqualTo(written);
    }

    private long bytes() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    private void learn() {
        profiles.record(Tasks.sample(Vectors.cpu(0.5), Duration.ofSeconds(10)));
    }

    private static ProfileWriter writer(ProfileRepository profiles, Path directory) {
        return new ProfileWriter(
                profiles,
                directory.toString(),
                location -> new LocalDirectory(Path.of(location)),
                Runnable::run,
                Faults.unlogged());
    }
}
