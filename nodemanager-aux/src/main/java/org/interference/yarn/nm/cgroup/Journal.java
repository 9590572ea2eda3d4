package org.interference.yarn.nm.cgroup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is to be undone, on disk before it is done: after kill -9 it says everything that may have been changed. A torn or damaged
 * line is left out, as its change was never made. Not thread-safe.
 */
final class Journal implements AutoCloseable {
    private final FileChannel channel;
    private final List<Undo> open;

    private Journal(FileChannel channel, List<Undo> open) {
        this.channel = channel;
        this.open = open;
    }

    /** Opens {@code file}, or begins it. */
    static Journal open(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        List<Undo> open = Files.exists(file)
                ? read(new String(Files.readAllBytes(file), StandardCharsets.UTF_8))
                : new ArrayList<>();
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        Journal journal = new Journal(channel, open);
        journal.rewrite();
        return journal;
    }

    /** Returns what is open in a journal of this text, the oldest first. Never throws. */
    static List<Undo> read(String text) {
        List<Undo> open = new ArrayList<>();
        for (String line : text.split("\n", -1)) {
            Optional<JournalLine> read = JournalLine.read(line);
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

    /** Notes what is about to be done; returns once it is on disk. The first note of the same thing is the one that holds. */
    void add(Undo undo) throws IOException {
        if (open.stream().noneMatch(undo::isOfTheSame)) {
            append(JournalLine.write(undo));
            open.add(undo);
        }
    }

    /** Notes that it is undone. */
    void undone(Undo undo) throws IOException {
        if (open.removeIf(undo::isOfTheSame)) {
            if (open.isEmpty()) {
                rewrite();
            } else {
                append(JournalLine.writeUndone(undo));
            }
        }
    }

    private void append(String line) throws IOException {
        channel.position(channel.size());
        write(line);
    }

    /** The order matters: a crash in between leaves old lines, of which undoing is harmless, or all of the new ones. */
    private void rewrite() throws IOException {
        channel.truncate(0);
        StringBuilder lines = new StringBuilder();
        open.forEach(undo -> lines.append(JournalLine.write(undo)));
        write(lines.toString());
    }

    private void write(String lines) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        channel.force(true);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
