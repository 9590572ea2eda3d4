package org.interference.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.interference.yarn.fixture.Reports.T0;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.interference.yarn.fixture.Tasks;
import org.interference.yarn.fixture.Vectors;
import org.interference.yarn.profile.ProfileRepository;
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
        Files.delete(directory.resolve("profiles.json"));

        writer.save();
        assertThat(directory.resolve("profiles.json")).doesNotExist();

        learn();
        writer.save();
        assertThat(directory.resolve("profiles.json")).exists();
    }

    @Test
    void brokenFileIsReportedAndLearningGoesOn() throws IOException {
        Files.writeString(directory.resolve("profiles.json"), "not json");
        ProfileWriter writer = writer(profiles, directory);

        writer.load(T0);
        learn();
        writer.save();

        assertThat(writer.status().problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains("profiles.json could not be read"));
        assertThat(directory.resolve("profiles.json")).exists();
    }

    @Test
    void fileThatCannotBeReadIsNotOverwritten() throws IOException {
        Path unreadable = Files.createDirectory(directory.resolve("profiles.json"));
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
    void failedSaveIsReportedAndTriedAgain() throws IOException {
        Path store = directory.resolve("store");
        ProfileWriter writer = writer(profiles, store);
        writer.load(T0);
        Files.delete(store);
        learn();

        writer.save();
        assertThat(writer.status().problem())
                .hasValueSatisfying(problem -> assertThat(problem).contains("cannot be written"));

        Files.createDirectory(store);
        writer.save();
        assertThat(writer.status().problem()).isEmpty();
        assertThat(store.resolve("profiles.json")).exists();
    }

    private void learn() {
        profiles.record(Tasks.sample(Vectors.cpu(0.5), Duration.ofSeconds(10)));
    }

    private static ProfileWriter writer(ProfileRepository profiles, Path directory) {
        return new ProfileWriter(profiles, directory);
    }
}
