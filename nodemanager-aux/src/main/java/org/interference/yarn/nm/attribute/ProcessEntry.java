package org.interference.yarn.nm.attribute;

import java.util.Optional;
import java.util.StringTokenizer;

/**
 * Where one process stands in the process tree.
 *
 * @param startTicks when the process started, in clock ticks since boot; tells a process from a later one with its pid
 */
public record ProcessEntry(long pid, long parent, long session, long startTicks) {
    private static final int FIELDS_FROM_SESSION_TO_START = 16;

    /** Parses the text of {@code /proc/PID/stat}; empty if it is not one, as when the process ended during the read. */
    public static Optional<ProcessEntry> parse(String stat) {
        // The command name stands in parentheses and may itself hold blanks and parentheses.
        int open = stat.indexOf(" (");
        int close = stat.lastIndexOf(") ");
        if (open < 0 || close < open) {
            return Optional.empty();
        }
        StringTokenizer fields = new StringTokenizer(stat.substring(close + 2));
        if (fields.countTokens() < FIELDS_FROM_SESSION_TO_START + 4) {
            return Optional.empty();
        }
        try {
            long pid = Long.parseLong(stat.substring(0, open));
            fields.nextToken();
            long parent = Long.parseLong(fields.nextToken());
            fields.nextToken();
            long session = Long.parseLong(fields.nextToken());
            for (int skipped = 1; skipped < FIELDS_FROM_SESSION_TO_START; skipped++) {
                fields.nextToken();
            }
            return Optional.of(new ProcessEntry(pid, parent, session, Long.parseLong(fields.nextToken())));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
