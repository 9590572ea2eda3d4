package org.interference.yarn.app;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.fault.Part;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.ProfileRepository.Change;
import org.interference.yarn.profile.store.ProfileStore;
import org.interference.yarn.profile.store.StoreDirectory;
import org.interference.yarn.rest.Sources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the profile store up to date; without a usable directory it goes on in memory and says so. Not re-entrant: one
 * thread loads, saves and closes.
 */
final class ProfileWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ProfileWriter.class);
    /** A log may always be this long: a snapshot of a few profiles is not worth a file. */
    private static final long SMALLEST_LOG_BYTES = 8L << 20;

    private final ProfileRepository profiles;
    private final String location;
    private final Opener opener;
    private final Executor snapshots;
    private final Faults faults;
    private final AtomicBoolean snapshotRuns = new AtomicBoolean();
    private volatile boolean leftAlone;
    /** Empty until it is open, and again once another ResourceManager has taken it over. */
    private Optional<ProfileStore> store = Optional.empty();
    /** Those that a snapshot was begun after. */
    private long forgettings;

    private volatile Optional<String> loadProblem = Optional.empty();
    private volatile Optional<String> saveProblem = Optional.empty();

    /** Finds the directory of the store. */
    @FunctionalInterface
    interface Opener {
        StoreDirectory open(String location) throws IOException;
    }

    /** @param snapshots where whole snapshots are written, while changes go on being saved */
    ProfileWriter(ProfileRepository profiles, String location, Opener opener, Executor snapshots, Faults faults) {
        this.profiles = profiles;
        this.location = location;
        this.opener = opener;
        this.snapshots = snapshots;
        this.faults = faults;
    }

    /** Returns whether there is a store to save to. */
    boolean isOpen() {
        return store.isPresent();
    }

    /** Has nothing more done in the directory, not even what hangs now. From any thread. */
    void leaveAlone() {
        leftAlone = true;
    }

    /** Returns the directory at {@code location}, of which nothing is asked any more once it is to be left alone. */
    StoreDirectory directory(String below) throws IOException {
        return new LeftAlone(opener.open(below), () -> leftAlone);
    }

    /**
     * Opens the store and takes over what is in it; what was learnt meanwhile stays, and is saved.
     *
     * @return false if it cannot be opened now
     */
    boolean load(Instant now) {
        try {
            ProfileStore.Opened opened = ProfileStore.open(directory(location), now, SMALLEST_LOG_BYTES);
            profiles.restore(opened.profiles());
            store = Optional.of(opened.store());
            saveProblem = Optional.empty();
            loadProblem = opened.problems().isEmpty()
                    ? Optional.empty()
                    : Optional.of(location + ": " + String.join("; ", opened.problems()));
            loadProblem.ifPresent(LOG::error);
            LOG.info("{} profiles read from {}", opened.profiles().size(), location);
            return true;
        } catch (IOException | RuntimeException e) {
            loadProblem = Optional.of("%s cannot be used (%s); profiles are kept in memory".formatted(location, e));
            faults.note(Part.STORE, e);
            return false;
        }
    }

    /**
     * Writes what has changed since the last time.
     *
     * @return false if it failed; it is tried again at the next call, if the store is still open
     */
    boolean save() {
        if (store.isEmpty()) {
            return false;
        }
        long known = profiles.forgettings();
        List<Change> changes = profiles.changes();
        if (changes.isEmpty() && known == forgettings) {
            return true;
        }
        try {
            store.get().append(changes);
            profiles.written(changes);
            saveProblem = Optional.empty();
            if ((store.get().wantsSnapshot() || known != forgettings) && !snapshotRuns.get()) {
                ProfileStore.Snapshot snapshot = store.get().beginSnapshot();
                // If it fails, what was dropped comes back in the next life, and is dropped again.
                forgettings = known;
                snapshotRuns.set(true);
                snapshot(snapshot);
            }
            return true;
        } catch (ProfileStore.Fenced e) {
            LOG.warn("{}; this one writes no more", e.getMessage());
            profiles.changedAgain(changes);
            saveProblem = Optional.of(e.getMessage());
            close();
        } catch (ProfileStore.Removed e) {
            profiles.allChanged();
            failed(e);
        } catch (IOException | RuntimeException e) {
            profiles.changedAgain(changes);
            failed(e);
        } catch (Error e) {
            // As of a want of memory, which is over when somebody else has had it.
            profiles.changedAgain(changes);
            throw e;
        }
        return false;
    }

    private void snapshot(ProfileStore.Snapshot snapshot) {
        try {
            snapshots.execute(() -> {
                try {
                    snapshot.write(profiles.all());
                } catch (IOException | RuntimeException e) {
                    failed(e);
                } finally {
                    snapshotRuns.set(false);
                }
            });
        } catch (RejectedExecutionException e) {
            // The plugin stops; the logs hold everything.
            snapshotRuns.set(false);
        }
    }

    private void failed(Exception e) {
        faults.note(Part.STORE, e);
        saveProblem = Optional.of("%s cannot be written (%s)".formatted(location, e));
    }

    void close() {
        store.ifPresent(open -> {
            try {
                open.close();
            } catch (IOException e) {
                LOG.warn("{} cannot be closed; what was saved is safe", location, e);
            }
        });
        store = Optional.empty();
    }

    Sources.Store status() {
        return new Sources.Store(location, saveProblem.or(() -> loadProblem));
    }
}
