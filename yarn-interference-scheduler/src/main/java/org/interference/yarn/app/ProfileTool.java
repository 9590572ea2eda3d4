package org.interference.yarn.app;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
 * Takes profiles out of a store and brings them into one, as a JSON document or as the original IntP's CSV; and says without any store
 * of what classes and kinds such CSV files are.
 *
 * <p>Reading disturbs nobody. Bringing in takes the store over: a ResourceManager that runs on it goes on in memory.
 */
public final class ProfileTool {
    private static final String USAGE = """
            usage: export DIRECTORY FILE.json            every profile
                   import [--replace] DIRECTORY FILE.json
                                                         of two with one key the newer is kept; stop the ResourceManager first.
                                                         One of fewer tasks takes a profile's place only with --replace
                   export-csv DIRECTORY KEY FILE.csv     the mean of one profile, for as many seconds as it runs
                   import-csv DIRECTORY USER TAG ROLE FILE.csv...  each one task more in the profile of USER's tag ifc:TAG
                   classify [--clusters K] FILE.csv...   the class of each signal's mean, and which files are alike; no store
            """;
    private static final String REPLACE = "--replace";
    /** A day: a profile's mean says nothing more by being repeated. */
    private static final long MOST_LINES = 86_400;

    private static final long LOG_BYTES = 8L << 20;

    private static final Pattern CLUSTERS = Pattern.compile("[2-9]|[1-9][0-9]{1,2}");

    private final InstantSource clock;
    private final Configuration conf;

    ProfileTool(Configuration conf, InstantSource clock) {
        this.conf = conf;
        this.clock = clock;
    }

    /** Usage: see {@link #USAGE}. */
    public static void main(String[] args) {
        int status =
                new ProfileTool(new Configuration(), InstantSource.system()).run(List.of(args), System.out, System.err);
        // main-program:off
        System.exit(status);
        // main-program:on
    }

    /** Returns 0 after writing to {@code out} what was asked for, or 1 after writing to {@code errors} what is wrong. */
    int run(List<String> args, PrintStream out, PrintStream errors) {
        try {
            String command = args.isEmpty() ? "" : args.get(0);
            int count = args.size();
            if (command.equals("export") && count == 3) {
                export(directory(args.get(1)), Path.of(args.get(2)));
            } else if (command.equals("import") && count == 3) {
                bringIn(directory(args.get(1)), Path.of(args.get(2)), false);
            } else if (command.equals("import") && count == 4 && args.get(1).equals(REPLACE)) {
                bringIn(directory(args.get(2)), Path.of(args.get(3)), true);
            } else if (command.equals("export-csv") && count == 4) {
                exportCsv(directory(args.get(1)), args.get(2), Path.of(args.get(3)));
            } else if (command.equals("import-csv") && count >= 6) {
                List<Path> files = args.subList(5, count).stream().map(Path::of).toList();
                bringInCsv(directory(args.get(1)), args.get(2), args.get(3), args.get(4), files);
            } else if (command.equals("classify") && count >= 2) {
                out.print(classified(args.subList(1, count)));
            } else {
                errors.print(USAGE);
                return 1;
            }
            return 0;
        } catch (NoSuchFileException e) {
            errors.println(e.getFile() + " is not there");
            return 1;
        } catch (IOException | IllegalArgumentException e) {
            errors.println(e.getMessage());
            return 1;
        }
    }

    private StoreDirectory directory(String location) throws IOException {
        return HadoopDirectory.of(location, conf);
    }

    private static Collection<TaskProfile> held(StoreDirectory directory) throws IOException {
        if (!ProfileStore.isIn(directory)) {
            throw new IOException("there is no store of profiles in " + directory.location());
        }
        return ProfileStore.read(directory);
    }

    private static void export(StoreDirectory directory, Path file) throws IOException {
        Collection<TaskProfile> profiles = held(directory);
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            try (OutputStream out = Files.newOutputStream(file)) {
                ProfileDocument.write(profiles, out);
            }
            return;
        }
        // What was exported before stays until all of this is there.
        Path target = Files.exists(file) ? file.toRealPath() : file;
        Path fresh = target.resolveSibling(target.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                        fresh,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
                OutputStream out = Channels.newOutputStream(channel)) {
            ProfileDocument.write(profiles, out);
            channel.force(true);
        }
        Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
    }

    private void bringIn(StoreDirectory directory, Path file, boolean replace) throws IOException {
        List<TaskProfile> read = read(file, () -> ProfileDocument.read(Files.readAllBytes(file)));
        read.forEach(profile -> profile.requirePlausible(clock.instant()));
        change(directory, held -> {
            if (!replace) {
                requireNoLess(file, read, held);
            }
            read.forEach(profile -> held.merge(profile.key(), profile, TaskProfile::newer));
        });
    }

    /** Five thousand tasks are not to become one because that was yesterday. */
    private static void requireNoLess(Path file, List<TaskProfile> read, Map<TaskKey, TaskProfile> held) {
        List<TaskProfile> poorer = read.stream()
                .filter(profile -> held.containsKey(profile.key()))
                .filter(profile -> profile.samples() < held.get(profile.key()).samples()
                        && TaskProfile.newer(held.get(profile.key()), profile).equals(profile))
                .toList();
        if (!poorer.isEmpty()) {
            TaskProfile first = poorer.get(0);
            throw new IllegalArgumentException(
                    "%s has %d newer profiles of fewer tasks than the store's, such as %s (%d in place of %d): import %s takes them"
                            .formatted(
                                    file,
                                    poorer.size(),
                                    first.key().text(),
                                    first.samples(),
                                    held.get(first.key()).samples(),
                                    REPLACE));
        }
    }

    private void bringInCsv(StoreDirectory directory, String user, String tag, String role, List<Path> files)
            throws IOException {
        TaskIdentity task = TaskIdentity.of("intp", tag, role, "", Optional.of(tag), Optional.of(user));
        TaskKey key = task.keys().get(0);
        List<TaskSample> samples = new ArrayList<>();
        for (Path file : files) {
            samples.add(fromCsv(task, file));
        }
        change(directory, held -> {
            TaskProfile profile = held.getOrDefault(key, TaskProfile.empty(key));
            for (TaskSample sample : samples) {
                profile = profile.with(sample);
            }
            held.put(key, profile);
        });
    }

    /** Has {@code change} change what is in the store, as a whole or not at all. */
    private void change(StoreDirectory directory, Consumer<Map<TaskKey, TaskProfile>> change) throws IOException {
        ProfileStore.Opened opened = ProfileStore.open(directory, clock.instant(), LOG_BYTES);
        try (ProfileStore store = opened.store()) {
            Map<TaskKey, TaskProfile> before =
                    opened.profiles().stream().collect(Collectors.toMap(TaskProfile::key, profile -> profile));
            Map<TaskKey, TaskProfile> held = new HashMap<>(before);
            change.accept(held);
            store.append(held.values().stream()
                    .filter(profile -> !profile.equals(before.get(profile.key())))
                    .map(profile -> new Change(profile.key(), Optional.of(profile)))
                    .toList());
        }
    }

    /** What is read from a file. */
    @FunctionalInterface
    private interface Reading<T> {
        T get() throws IOException;
    }

    /** What is wrong with a file says which one it is. */
    private static <T> T read(Path file, Reading<T> reading) throws IOException {
        try {
            return reading.get();
        } catch (MalformedInputException e) {
            throw new IOException(file + " is not text in UTF-8", e);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    private static void exportCsv(StoreDirectory directory, String key, Path file) throws IOException {
        TaskProfile profile = held(directory).stream()
                .filter(candidate -> candidate.key().text().equals(key))
                .findFirst()
                .orElseThrow(() -> new IOException("there is no profile of " + key));
        long seconds = Math.max(1, Math.round(profile.runTimeSeconds().mean()));
        Files.writeString(file, IntpCsv.format(profile.load()).repeat((int) Math.min(MOST_LINES, seconds)));
    }

    private static String classified(List<String> args) throws IOException {
        boolean asked = args.get(0).equals("--clusters");
        if (asked && args.size() < 3) {
            throw new IllegalArgumentException("--clusters K is followed by the files");
        }
        int wanted = asked ? clusters(args.get(1)) : 0;
        SortedMap<String, InterferenceVector> means = new TreeMap<>();
        for (String file : args.subList(asked ? 2 : 0, args.size())) {
            means.put(file, IntpCsv.mean(seconds(Path.of(file))));
        }
        return ClassTable.of(means, wanted);
    }

    private static int clusters(String text) {
        if (!CLUSTERS.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "--clusters is '%s' but must be a whole number from 2 to 999".formatted(text));
        }
        return Integer.parseInt(text);
    }

    private static List<InterferenceVector> seconds(Path file) throws IOException {
        List<InterferenceVector> seconds = read(file, () -> IntpCsv.parse(Files.readString(file)));
        if (seconds.isEmpty()) {
            throw new IOException(file + " has no lines");
        }
        return seconds;
    }

    private TaskSample fromCsv(TaskIdentity task, Path file) throws IOException {
        List<InterferenceVector> seconds = seconds(file);
        return new TaskSample(
                task,
                IntpCsv.mean(seconds),
                IntpCsv.peak(seconds),
                Optional.of(Duration.ofSeconds(seconds.size())),
                clock.instant(),
                Optional.empty(),
                Company.UNKNOWN);
    }
}
