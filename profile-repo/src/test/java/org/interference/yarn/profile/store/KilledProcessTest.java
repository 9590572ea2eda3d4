package org.interference.yarn.profile.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.Tasks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real process that writes without a pause, and kill -9. */
@Timeout(300)
class KilledProcessTest {
    private static final int KILLS = 6;
    private static final String JOB = "counted";
    /** So small that every few appends a snapshot is written. */
    private static final long SMALLEST_LOG = 5_000;

    @TempDir
    private Path directory;

    @Test
    void whatTheProcessSaidThatItSavedIsThereHoweverOftenItIsKilled() throws Exception {
        Random random = new Random(1);
        long saved = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            Process writer = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Writer.class.getName(),
                            directory.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try (BufferedReader said = writer.inputReader()) {
                int lines = 1 + random.nextInt(60);
                for (int i = 0; i < lines; i++) {
                    saved = Long.parseLong(said.readLine());
                }
                // The process's own method would also close the stream with what it said last.
                assertThat(writer.toHandle().destroyForcibly()).isTrue();
                writer.waitFor();
                // It may have said more before it died.
                for (String line = said.readLine(); line != null; line = said.readLine()) {
                    saved = line.matches("\\d+") ? Math.max(saved, Long.parseLong(line)) : saved;
                }
            }

            Collection<TaskProfile> found = ProfileStore.read(new LocalDirectory(directory));

            assertThat(samples(found)).as("after kill %d", kill).isGreaterThanOrEqualTo(saved);
        }
        ProfileStore.Opened last = ProfileStore.open(new LocalDirectory(directory), Instant.EPOCH, SMALLEST_LOG);
        assertThat(last.problems()).isEmpty();
        last.store().close();
    }

    private static long samples(Collection<TaskProfile> profiles) {
        return profiles.stream()
                .filter(profile -> profile.key().equals(Tasks.map(JOB).keys().get(0)))
                .mapToLong(TaskProfile::samples)
                .sum();
    }

    /** Learns and saves for ever, and says after each save how many samples it has. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] directory) throws IOException {
            ProfileStore.Opened opened =
                    ProfileStore.open(new LocalDirectory(Path.of(directory[0])), Instant.EPOCH, SMALLEST_LOG);
            ProfileRepository repository = new ProfileRepository(1);
            repository.restore(opened.profiles());
            Random random = new Random(2);
            for (long saved = samples(opened.profiles()); ; ) {
                repository.record(Tasks.sample(Tasks.map(JOB), 0.5));
                repository.record(RandomProfiles.sample(random));
                opened.store().append(repository.changes());
                saved++;
                System.out.println(saved);
                if (opened.store().wantsSnapshot()) {
                    ProfileStore.Snapshot snapshot = opened.store().beginSnapshot();
                    List<TaskProfile> all = repository.all();
                    Thread writer = new Thread(() -> write(snapshot, all));
                    writer.start();
                }
            }
        }

        private static void write(ProfileStore.Snapshot snapshot, List<TaskProfile> profiles) {
            try {
                snapshot.write(profiles);
            } catch (IOException e) {
                // A later snapshot may have cleaned up before this one was done.
                System.err.println(e);
            }
        }
    }
}
