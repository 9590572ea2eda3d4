package org.interference.yarn.profile.store;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.interference.yarn.profile.ProfileRepository.Change;
import org.interference.yarn.profile.TaskProfile;

/**
 * All profiles as a snapshot and a log that continues it (ADR-0014). Thread-safe.
 *
 * <p>What {@link #append} has returned from is never lost. Each opening claims an epoch and writes only files of that
 * epoch; whoever finds a higher one stops. So two ResourceManagers that both believe to be the active one harm nothing:
 * the later one wins.
 */
public final class ProfileStore implements Closeable {
    private static final int ATTEMPTS = 3;
    /** Bytes of changes that are in memory at a time: they may be those of all profiles. */
    private static final int MOST_AT_ONCE = 1 << 20;

    private final StoreDirectory directory;
    private final int epoch;
    private final long smallestLog;
    /** What all profiles are read from: the newest snapshot, and the logs that continue it. */
    private final SortedSet<StoreFile> needed = new TreeSet<>();

    private int generation;
    private StoreDirectory.Output log;
    /** After a failed write the end of the log is unknown: it is not continued. */
    private boolean logIsBroken;

    private long logBytes;
    private long snapshotBytes;
    /** Since files were removed: an older one that is left may hold what is forgotten. */
    private boolean snapshotIsDue;

    /**
     * What was found in the directory.
     *
     * @param problems what could not be understood, and where it was moved
     */
    public record Opened(ProfileStore store, Collection<TaskProfile> profiles, List<String> problems) {}

    /** Another one has opened the store since. */
    public static final class Fenced extends IOException {
        private static final long serialVersionUID = 1L;

        Fenced(String location) {
            super("%s was taken over by another ResourceManager".formatted(location));
        }
    }

    /** Somebody has removed the snapshot or a log: what is in the directory is not what was appended. */
    public static final class Removed extends IOException {
        private static final long serialVersionUID = 1L;

        Removed(String location) {
            super("somebody has removed files of %s; all profiles are written anew".formatted(location));
        }
    }

    private ProfileStore(StoreDirectory directory, int epoch, long smallestLog) {
        this.directory = directory;
        this.epoch = epoch;
        this.smallestLog = smallestLog;
    }

    /**
     * Takes the store over from whoever wrote it before.
     *
     * @param now names files that are moved aside
     * @param smallestLog bytes that a log may always have; a longer one may not outgrow the snapshot
     * @throws IOException if the directory cannot be used. What was in it is in it still, perhaps in a newer snapshot; what was made for
     *     this opening is gone, as far as it is known to be there and can be deleted
     */
    public static Opened open(StoreDirectory directory, Instant now, long smallestLog) throws IOException {
        ProfileStore store = new ProfileStore(directory, claim(directory), smallestLog);
        boolean isOpen = false;
        try {
            Opened opened = store.takeOver(now);
            isOpen = true;
            return opened;
        } finally {
            if (!isOpen) {
                store.giveUp();
            }
        }
    }

    private Opened takeOver(Instant now) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                StoreRecovery recovery = StoreRecovery.read(directory);
                // A damaged file stays where it is until its content is safe.
                rotate(true);
                writeSnapshot(recovery.profiles().values(), generation);
                requireNotFenced(directory.list());
                recovery.cleanUp(directory, epoch, now);
                return new Opened(this, recovery.profiles().values(), recovery.problems(now));
            } catch (NoSuchFileException | FileNotFoundException e) {
                // The one before us has just cleaned up; what it cleaned up is in a newer file.
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Leaves the directory as it was: whoever tries again claims another epoch, and a full disk would get two files more each time. */
    private synchronized void giveUp() {
        if (log != null) {
            quietly(log::close);
        }
        if (needed.stream().anyMatch(file -> file.kind() == StoreFile.Kind.SNAPSHOT)) {
            // What it replaces may be gone already. The next one finds it, and deletes it.
            return;
        }
        for (int number = 0; number <= generation; number++) {
            for (StoreFile.Kind kind : StoreFile.Kind.values()) {
                String name = new StoreFile(epoch, number, kind).name();
                quietly(() -> directory.delete(name));
            }
        }
        quietly(() -> directory.delete(StoreFile.claim(epoch)));
    }

    /** Something that a directory may refuse. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    private static void quietly(Step step) {
        try {
            step.run();
        } catch (IOException | RuntimeException e) {
            // What it follows has failed, and that is told.
        }
    }

    private static int claim(StoreDirectory directory) throws IOException {
        int highest = 0;
        for (String name : directory.list()) {
            highest = Math.max(highest, StoreFile.epochOf(name));
        }
        int epoch = highest + 1;
        while (!directory.claim(StoreFile.claim(epoch))) {
            epoch++;
        }
        return epoch;
    }

    /**
     * Adds {@code changes} to the log.
     *
     * @throws Fenced if another has taken over: this object never writes again
     * @throws Removed if files are gone; append everything
     * @throws IOException if it cannot be written: try the same changes again later
     */
    public synchronized void append(Collection<Change> changes) throws IOException {
        List<String> names = directory.list();
        requireNotFenced(names);
        if (!needed.stream().map(StoreFile::name).allMatch(names::contains)) {
            needed.clear();
            logIsBroken = true;
            snapshotIsDue = true;
            throw new Removed(directory.location());
        }
        if (logIsBroken) {
            rotate(false);
        }
        Lines.Buffer bytes = new Lines.Buffer();
        Lines.Buffer scratch = new Lines.Buffer();
        long written = 0;
        logIsBroken = true;
        for (Change change : changes) {
            Lines.change(change, scratch, bytes);
            if (bytes.size() >= MOST_AT_ONCE) {
                log.write(bytes.array(), bytes.size());
                written += bytes.size();
                bytes.reset();
            }
        }
        log.write(bytes.array(), bytes.size());
        log.force();
        logIsBroken = false;
        logBytes += written + bytes.size();
    }

    /** Returns whether the log is long enough to be replaced by a snapshot, or a file that was removed is to be. */
    public synchronized boolean wantsSnapshot() {
        return snapshotIsDue || logBytes > Math.max(smallestLog, snapshotBytes);
    }

    /**
     * Begins a new log and returns what writes the snapshot that comes before it, on any thread, while the log goes on. Until
     * it is done, the older snapshot and logs stay.
     */
    public synchronized Snapshot beginSnapshot() throws IOException {
        requireNotFenced(directory.list());
        rotate(true);
        snapshotIsDue = false;
        int number = generation;
        return profiles -> {
            writeSnapshot(profiles, number);
            for (String name : directory.list()) {
                Optional<StoreFile> file = StoreFile.of(name);
                if (file.isPresent()
                        && file.get().compareTo(new StoreFile(epoch, number, StoreFile.Kind.SNAPSHOT)) < 0) {
                    directory.delete(name);
                }
            }
        };
    }

    /** Writes one snapshot. */
    @FunctionalInterface
    public interface Snapshot {
        /**
         * Writes it; then it replaces what is older.
         *
         * @param profiles all there are, read after the snapshot was begun
         */
        void write(Collection<TaskProfile> profiles) throws IOException;
    }

    /**
     * Begins a new log.
     *
     * @param always also if nothing was appended to the last one; otherwise that is emptied, so that a full disk does not get a file more
     *     each time
     */
    private synchronized void rotate(boolean always) throws IOException {
        if (log != null) {
            if (always || logBytes > 0) {
                generation++;
            }
            logBytes = 0;
            try {
                log.close();
            } catch (IOException e) {
                // What was appended is there for good already.
            }
        }
        logIsBroken = true;
        StoreFile next = new StoreFile(epoch, generation, StoreFile.Kind.LOG);
        // Until it is whole: it may be the empty one that was.
        needed.remove(next);
        log = directory.create(next.name());
        Lines.write(List.of(), log);
        log.force();
        needed.add(next);
        logIsBroken = false;
    }

    private void writeSnapshot(Collection<TaskProfile> profiles, int number) throws IOException {
        StoreFile snapshot = new StoreFile(epoch, number, StoreFile.Kind.SNAPSHOT);
        String unfinished = snapshot.unfinishedName();
        boolean isWhole = false;
        try {
            long written;
            try (StoreDirectory.Output out = directory.create(unfinished)) {
                written = Lines.write(profiles, out);
                out.force();
            }
            directory.rename(unfinished, snapshot.name());
            isWhole = true;
            replaceOlder(snapshot, written);
        } finally {
            if (!isWhole) {
                quietly(() -> directory.delete(unfinished));
            }
        }
    }

    private synchronized void replaceOlder(StoreFile snapshot, long bytes) {
        if (needed.tailSet(snapshot).stream().anyMatch(file -> file.kind() == StoreFile.Kind.SNAPSHOT)) {
            // A later one was done before this one, and may be deleting it.
            return;
        }
        needed.headSet(snapshot).clear();
        needed.add(snapshot);
        snapshotBytes = bytes;
    }

    private void requireNotFenced(List<String> names) throws IOException {
        for (String name : names) {
            if (StoreFile.epochOf(name) > epoch) {
                throw new Fenced(directory.location());
            }
        }
    }

    /** Where the store is, for people. */
    public String location() {
        return directory.location();
    }

    @Override
    public synchronized void close() throws IOException {
        log.close();
    }

    /** Returns whether {@code directory} has ever held a store. */
    public static boolean isIn(StoreDirectory directory) throws IOException {
        return directory.list().stream().anyMatch(name -> StoreFile.epochOf(name) > 0);
    }

    /** Returns all profiles in {@code directory} without taking the store over from its writer. */
    public static Collection<TaskProfile> read(StoreDirectory directory) throws IOException {
        return List.copyOf(StoreRecovery.read(directory).profiles().values());
    }
}
