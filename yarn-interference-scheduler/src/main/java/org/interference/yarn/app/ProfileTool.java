package org.interference.yarn.app;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.interference.yarn.profile.Company;
import org.interference.yarn.profile.ProfileRepository.Change;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.TaskSample;
import org.interference.yarn.profile.store.HadoopDirectory;
import org.interference.yarn.profile.store.IntpCsv;
import org.interference.yarn.profile.store.ProfileDocument;
import org.interference.yarn.profile.store.ProfileStore;
import org.interference.yarn.profile.store.StoreDirectory;
import org.interference.yarn.signal.InterferenceVector;

/**
 * Takes profiles out of a store and brings them into one, as a JSON document or as the original IntP's CSV.
 *
 * <p>Reading disturbs nobody. Bringing in takes the store over: a ResourceManager that runs on it goes on in memory.
 */
public final class ProfileTool {
    private static final String USAGE = """
            usage: export DIRECTORY FILE.json            every profile
                   import DIRECTORY FILE.json            stop the ResourceManager first
                   export-csv DIRECTORY KEY FILE.csv     the mean of one profile, for as many seconds as it runs
                   import-csv DIRECTORY USER TAG ROLE FILE.csv  one task, as the profile of USER's tag ifc:TAG
            """;
    /** A day: a profile's mean says nothing more by being repeated. */
    private static final long MOST_LINES = 86_400;

    private static final long LOG_BYTES = 8L << 20;

    private final InstantSource clock;
    private final Configuration conf;

    ProfileTool(Configuration conf, InstantSource clock) {
        this.conf = conf;
        this.clock = clock;
    }

    /** Usage: see {@link #USAGE}. */
    public static void main(String[] args) {
        int status = new ProfileTool(new Configuration(), InstantSource.system()).run(List.of(args), System.err);
        // main-program:off
        System.exit(status);
        // main-program:on
    }

    /** Returns 0, or 1 after writing to {@code errors} what is wrong. */
    int run(List<String> args, PrintStream errors) {
        try {
            String command = args.isEmpty() ? "" : args.get(0) + "/" + args.size();
            switch (command) {
                case "export/3" -> export(directory(args.get(1)), Path.of(args.get(2)));
                case "import/3" ->
                    bringIn(directory(args.get(1)), ProfileDocument.read(Files.readAllBytes(Path.of(args.get(2)))));
                case "export-csv/4" -> exportCsv(directory(args.get(1)), args.get(2), Path.of(args.get(3)));
                case "import-csv/6" ->
                    bringIn(
                            directory(args.get(1)),
                            List.of(fromCsv(args.get(2), args.get(3), args.get(4), Path.of(args.get(5)))));
                default -> {
                    errors.print(USAGE);
                    return 1;
                }
            }
            return 0;
        } catch (IOException | IllegalArgumentException e) {
            errors.println(e.getMessage());
            return 1;
        }
    }

    private StoreDirectory directory(String location) throws IOException {
        return HadoopDirectory.of(location, conf);
    }

    private static void export(StoreDirectory directory, Path file) throws IOException {
        Collection<TaskProfile> profiles = ProfileStore.read(directory);
        try (OutputStream out = Files.newOutputStream(file)) {
            ProfileDocument.write(profiles, out);
        }
    }

    private void bringIn(StoreDirectory directory, List<TaskProfile> profiles) throws IOException {
        try (ProfileStore store =
                ProfileStore.open(directory, clock.instant(), LOG_BYTES).store()) {
            store.append(profiles.stream()
                    .map(profile -> new Change(profile.key(), Optional.of(profile)))
                    .toList());
        }
    }

    private static void exportCsv(StoreDirectory directory, String key, Path file) throws IOException {
        TaskProfile profile = ProfileStore.read(directory).stream()
                .filter(candidate -> candidate.key().text().equals(key))
                .findFirst()
                .orElseThrow(() -> new IOException("there is no profile of " + key));
        long seconds = Math.max(1, Math.round(profile.runTimeSeconds().mean()));
        Files.writeString(file, IntpCsv.format(profile.load()).repeat((int) Math.min(MOST_LINES, seconds)));
    }

    private TaskProfile fromCsv(String user, String tag, String role, Path file) throws IOException {
        List<InterferenceVector> seconds = IntpCsv.parse(Files.readString(file));
        if (seconds.isEmpty()) {
            throw new IOException(file + " has no lines");
        }
        Instant now = clock.instant();
        TaskIdentity task = TaskIdentity.of("intp", tag, role, "", Optional.of(tag), Optional.of(user));
        TaskKey key = task.keys().get(0);
        return TaskProfile.empty(key)
                .with(new TaskSample(
                        task,
                        IntpCsv.mean(seconds),
                        IntpCsv.peak(seconds),
                        Optional.of(Duration.ofSeconds(seconds.size())),
                        now,
                        Optional.empty(),
                        Company.UNKNOWN,
                        Optional.empty()));
    }
}
