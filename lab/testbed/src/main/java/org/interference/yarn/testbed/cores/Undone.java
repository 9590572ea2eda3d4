package org.interference.yarn.testbed.cores;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What was left of node control's groups when it should have been undone.
 *
 * @param how the NodeManager ended: {@code stopped}, or {@code killed} and started again
 * @param before how many groups of containers there were before it ended
 * @param left how many of them afterwards
 */
record Undone(String how, int before, int left) {
    private static final int FIELDS = 3;

    private static Undone of(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("this does not say what was undone: " + line);
        }
        return new Undone(fields[0], Integer.parseInt(fields[1]), Integer.parseInt(fields[2]));
    }

    /** Returns what {@code file} has, which may not be there: a line for each end. */
    static List<Undone> read(Path file) throws IOException {
        return Files.exists(file)
                ? Files.readAllLines(file).stream().map(Undone::of).toList()
                : List.of();
    }

    /** Puts how many ends there were of each kind at which there was something to undo, and after how many nothing was left. */
    static void put(List<Undone> all, ObjectNode results) {
        for (String how : List.of("killed", "stopped")) {
            List<Undone> ends = all.stream()
                    .filter(end -> end.how().equals(how) && end.before() > 0)
                    .toList();
            results.putObject(how.equals("killed") ? "undone_after_kill" : "undone_at_stop")
                    .put("ends", ends.size())
                    .put("undone", ends.stream().filter(end -> end.left() == 0).count());
        }
    }
}
