package org.interference.yarn.dispatch;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The folder of one run; its name is the run's id. It holds the timetable as it was first made ({@code timetable.tsv}), the {@link
 * RunJournal}, what programs said ({@code logs}), and at the end the result. One process at a time uses it.
 */
final class RunDirectory implements AutoCloseable {
    private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9._-]{0,59}");

    private final Path path;
    private final FileChannel lock;

    private RunDirectory(Path path, FileChannel lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Opens a folder, which is made if it is not there. */
    static RunDirectory open(Path path) throws InputException {
        String id = path.getFileName() == null ? "" : path.getFileName().toString();
        if (!ID.matcher(id).matches()) {
            throw new InputException(
                    "--run-dir ends in '%s' but must end in a run's id: up to 60 of a-z, 0-9, '.', '_' and '-'"
                            .formatted(Tsv.shown(id)));
        }
        try {
            Files.createDirectories(path.resolve("logs"));
            FileChannel channel =
                    FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!isLocked(channel)) {
                channel.close();
                throw new InputException("%s is in use by another dispatch".formatted(path));
            }
            return new RunDirectory(path, channel);
        } catch (IOException e) {
            throw new InputException("%s cannot be used (%s)".formatted(path, e), e);
        }
    }

    private static boolean isLocked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    String id() {
        return path.getFileName().toString();
    }

    Path path() {
        return path;
    }

    Path log(String name) {
        return path.resolve("logs").resolve(name + ".log");
    }

    Path journal() {
        return journal(path);
    }

    private static Path journal(Path folder) {
        return folder.resolve("journal.jsonl");
    }

    /** Returns whether a run has begun in {@code folder}. */
    static boolean hasRun(Path folder) {
        return Files.exists(journal(folder));
    }

    /** Keeps the timetable, or makes sure that a run which is gone on with has the same. */
    void keep(List<String> timetable) throws InputException {
        Path file = path.resolve("timetable.tsv");
        try {
            if (!Files.exists(file)) {
                write(file, String.join("\n", timetable) + "\n");
            } else if (!Files.readAllLines(file).equals(timetable)) {
                throw new InputException(
                        "%s is of a run with another timetable: give the arguments of then, or another --run-dir"
                                .formatted(path));
            }
        } catch (IOException e) {
            throw new InputException("%s cannot be used (%s)".formatted(file, e), e);
        }
    }

    Optional<String> result() throws IOException {
        Path file = path.resolve("result.json");
        return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
    }

    void writeResult(String json, String tsv) throws IOException {
        write(path.resolve("result.tsv"), tsv);
        write(path.resolve("result.json"), json);
    }

    /** Whoever reads a file finds all of it. */
    /** Writes a file as a whole or not at all. */
    static void write(Path file, String text) throws IOException {
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(fresh, text, StandardCharsets.UTF_8);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
