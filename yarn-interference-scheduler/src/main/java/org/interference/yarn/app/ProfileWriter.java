package org.interference.yarn.app;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.store.ProfileFile;
import org.interference.yarn.rest.Sources;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the profile file up to date; without a usable directory it goes on in memory and says so. Not re-entrant. */
final class ProfileWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ProfileWriter.class);

    private final ProfileRepository profiles;
    private final ProfileFile file;
    private long writtenVersion;
    /** A file that exists and could not be read is not overwritten: it may be whole. */
    private boolean mayWrite;

    private volatile Optional<String> loadProblem = Optional.empty();
    private volatile Optional<String> saveProblem = Optional.empty();

    ProfileWriter(ProfileRepository profiles, Path directory) {
        this.profiles = profiles;
        this.file = new ProfileFile(directory);
    }

    void load(Instant now) {
        try {
            ProfileFile.Loaded loaded = file.load(now);
            profiles.restore(loaded.profiles());
            mayWrite = true;
            loadProblem = loaded.problem();
            loaded.problem().ifPresent(LOG::error);
            LOG.info("{} profiles read from {}", loaded.profiles().size(), file.path());
        } catch (IOException | RuntimeException e) {
            loadProblem = Optional.of("%s cannot be read (%s); profiles are kept in memory".formatted(file.path(), e));
            LOG.error("{} cannot be read; profiles are kept in memory", file.path(), e);
        }
    }

    /** Writes what has changed since the last time; a failure is tried again at the next call. */
    void save() {
        long version = profiles.version();
        if (!mayWrite || version == writtenVersion) {
            return;
        }
        try {
            file.save(profiles.all());
            writtenVersion = version;
            saveProblem = Optional.empty();
        } catch (IOException | RuntimeException e) {
            if (saveProblem.isEmpty()) {
                LOG.error("{} cannot be written; profiles are kept in memory", file.path(), e);
            }
            saveProblem = Optional.of("%s cannot be written (%s)".formatted(file.path(), e));
        }
    }

    Sources.Store status() {
        return new Sources.Store(file.path().toString(), saveProblem.or(() -> loadProblem));
    }
}
