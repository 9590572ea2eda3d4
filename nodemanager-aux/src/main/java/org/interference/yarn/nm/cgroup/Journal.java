package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is to be undone, in a file before it is done: after kill -9 it says everything that may have been changed. A torn or damaged
 * line is left out, as its change was never made; so is one of another boot, because control groups do not outlive the kernel. For the
 * same reason nothing is forced to the disk. Not thread-safe.
 */
final class Journal {
    /** So many lines that say nothing any more are written anew without them. */
    private static final int MOST_LINES = 1000;

    private final Path file;
    private final String boot;
    private final List<Undo> open;
    private int lines;

    private Journal(Path file, String boot, List<Undo> open) {
        this.file = file;
        this.boot = boot;
        this.open = open;
    }

    /**
     * Opens {@code file}, or begins it.
     *
     * @param boot the kernel's name for the time since its last start
     * @throws IOException if nothing can be written there, unless something is to be undone: that needs no writing
     */
    static Journal open(Path file, String boot) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        List<Undo> open = Files.exists(file) ? read(text(file), boot) : new ArrayList<>();
        Journal journal = new Journal(file, boot, open);
        try {
            journal.rewrite();
        } catch (IOException e) {
            if (open.isEmpty()) {
                throw e;
            }
        }
        return journal;
    }

    private static String text(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    /** Notes what is open in another journal, which is removed then. Who is killed in between leaves it in both, and undoes it once. */
    void adopt(Path other) throws IOException {
        if (Files.isSameFile(file, other)) {
            return;
        }
        for (Undo undo : read(text(other), boot)) {
            add(undo);
        }
        Files.delete(other);
    }

    /** Returns what is open in a journal of this text, the oldest first. Never throws. */
    static List<Undo> read(String text, String boot) {
        List<Undo> open = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            Optional<JournalLine> read = JournalLine.read(line).filter(one -> one.isOf(boot));
            if (read.isPresent()) {
                Undo undo = read.get().undo();
                open.removeIf(undo::isOfTheSame);
                if (read.get().kind() != JournalLine.Kind.UNDONE) {
                    open.add(undo);
                }
            }
        }
        return open;
    }

    /** Returns what is to be undone, the oldest first. */
    List<Undo> entries() {
        return List.copyOf(open);
    }

    /** Notes what is about to be done. The first note of the same thing is the one that holds. */
    void add(Undo undo) throws IOException {
        if (open.stream().noneMatch(undo::isOfTheSame)) {
            append(JournalLine.write(boot, undo));
            open.add(undo);
        }
    }

    /** Notes that it is undone. */
    void undone(Undo undo) throws IOException {
        if (open.removeIf(undo::isOfTheSame)) {
            if (open.isEmpty() || lines > MOST_LINES + open.size()) {
                rewrite();
            } else {
                append(JournalLine.writeUndone(boot, undo));
            }
        }
    }

    /** It begins a line: where the disk was full, what was written last has no end. */
    private void append(String line) throws IOException {
        Files.writeString(file, "\n" + line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        lines++;
    }

    /** A new file takes the place of the old one at once: who is killed in between leaves all lines of one of them. */
    private void rewrite() throws IOException {
        StringBuilder text = new StringBuilder();
        open.forEach(undo -> text.append(JournalLine.write(boot, undo)));
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(next, text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        lines = open.size();
    }
}
