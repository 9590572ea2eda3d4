package org.interference.yarn.profile.store;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.interference.yarn.profile.TaskKey;
import org.interference.yarn.profile.TaskProfile;

/** All profiles, as the newest snapshot and the logs that continue it have them, and which of these files are damaged. */
record StoreRecovery(Map<TaskKey, TaskProfile> profiles, List<Damage> damages) {

    /** @param why what is wrong with the file */
    record Damage(String name, String why) {
        String aside(Instant now) {
            return name + ".unreadable-" + now.toEpochMilli();
        }
    }

    static StoreRecovery read(StoreDirectory directory) throws IOException {
        List<StoreFile> files = directory.list().stream()
                .flatMap(name -> StoreFile.of(name).stream())
                .sorted()
                .toList();
        List<Damage> damages = new ArrayList<>();
        Map<TaskKey, TaskProfile> profiles = new LinkedHashMap<>();
        for (StoreFile file : files.subList(newestSnapshot(files), files.size())) {
            replay(directory, file, profiles, damages);
        }
        return new StoreRecovery(profiles, damages);
    }

    private static int newestSnapshot(List<StoreFile> files) {
        for (int i = files.size() - 1; i > 0; i--) {
            if (files.get(i).kind() == StoreFile.Kind.SNAPSHOT) {
                return i;
            }
        }
        return 0;
    }

    private static void replay(
            StoreDirectory directory, StoreFile file, Map<TaskKey, TaskProfile> profiles, List<Damage> damages)
            throws IOException {
        Lines.Read read;
        try (InputStream in = directory.read(file.name())) {
            read = Lines.read(in, change -> change.profile()
                    .ifPresentOrElse(
                            profile -> profiles.put(change.key(), profile), () -> profiles.remove(change.key())));
        }
        if (read.schema().isPresent() && read.schema().get() != ProfileJson.SCHEMA) {
            damages.add(new Damage(
                    file.name(),
                    "schema %d, this version reads %d".formatted(read.schema().get(), ProfileJson.SCHEMA)));
            return;
        }
        // A log may end anywhere: its writer was killed. A snapshot has its name only when it is whole.
        boolean cutOff = file.kind() == StoreFile.Kind.SNAPSHOT
                && (read.torn() || read.schema().isEmpty());
        long damaged = read.damaged() + (cutOff ? 1 : 0);
        if (damaged > 0) {
            damages.add(new Damage(file.name(), "%d damaged lines; the others were read".formatted(damaged)));
        }
    }

    /** Removes what the snapshot of {@code epoch} makes superfluous, and moves aside what is damaged. */
    void cleanUp(StoreDirectory directory, int epoch, Instant now) throws IOException {
        // One file that cannot be removed does not keep the others: of each opening that fails by it there would be
        // some more.
        List<IOException> failures = new ArrayList<>();
        Set<String> damaged = new HashSet<>();
        for (Damage damage : damages) {
            damaged.add(damage.name());
            collect(failures, () -> directory.rename(damage.name(), damage.aside(now)));
        }
        for (String name : directory.list()) {
            int from = StoreFile.epochOf(name);
            if (StoreFile.isUnfinished(name) || (from > 0 && from < epoch && !damaged.contains(name))) {
                collect(failures, () -> directory.delete(name));
            }
        }
        if (!failures.isEmpty()) {
            throw failures.get(0);
        }
    }

    @FunctionalInterface
    private interface Removal {
        void run() throws IOException;
    }

    private static void collect(List<IOException> failures, Removal removal) {
        try {
            removal.run();
        } catch (IOException e) {
            failures.add(e);
        }
    }

    /** What could not be understood, and where it was moved, for people. */
    List<String> problems(Instant now) {
        return damages.stream()
                .map(damage -> "%s could not be read (%s); it was moved to %s"
                        .formatted(damage.name(), damage.why(), damage.aside(now)))
                .toList();
    }
}
