package org.interference.yarn.nm.attribute;

import java.util.Optional;

/**
 * Where one process stands in the process tree.
 *
 * @param startTicks when the process started, in clock ticks since boot; tells a process from a later one with its pid
 */
public record ProcessEntry(long pid, long parent, long session, long startTicks) {
    /** Where fields stand after the command name: in proc(5) the state is field 3. */
    private static final int PARENT = 1;

    private static final int SESSION = 3;
    private static final int THREADS = 17;
    private static final int START = 19;

    /**
     * Parses the text of {@code /proc/PID/stat}; empty if it is not one, as when the process ended during the read, and for
     * a process that has ended and that its parent has not waited for.
     */
    public static Optional<ProcessEntry> parse(String stat) {
        // The command name stands in parentheses and may itself hold blanks and parentheses.
        int open = stat.indexOf(" (");
        int close = stat.lastIndexOf(") ");
        if (open < 0 || close < open) {
            return Optional.empty();
        }
        int rest = close + 2;
        long pid = Fields.number(stat.substring(0, open), 0, 0);
        long parent = Fields.number(stat, rest, PARENT);
        long session = Fields.number(stat, rest, SESSION);
        long threads = Fields.number(stat, rest, THREADS);
        long start = Fields.number(stat, rest, START);
        if (pid < 0 || parent == Fields.NONE || session == Fields.NONE || threads == Fields.NONE || start < 0) {
            return Optional.empty();
        }
        // A leader that has ended before its other threads looks dead, but they still run.
        boolean dead = "ZX".indexOf(stat.charAt(rest)) >= 0 && threads <= 1;
        return dead ? Optional.empty() : Optional.of(new ProcessEntry(pid, parent, session, start));
    }
}
