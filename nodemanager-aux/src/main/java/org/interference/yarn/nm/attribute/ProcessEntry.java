package org.interference.yarn.nm.attribute;

import java.util.Optional;

/**
 * Where one process stands in the process tree, and what it has used.
 *
 * @param startTicks when the process started, in clock ticks since boot; tells a process from a later one with its pid
 * @param ownTicks clock ticks on a CPU of all its threads, of those that ended, too
 * @param waitedTicks the same of its children that ended and that it has waited for, with what they had waited for
 * @param residentPages pages of memory that it holds
 */
public record ProcessEntry(
        long pid, long parent, long session, long startTicks, long ownTicks, long waitedTicks, long residentPages) {
    /** Where fields stand after the command name: in proc(5) the state is field 3. */
    private static final int PARENT = 1;

    private static final int SESSION = 3;
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int WAITED_USER = 13;
    private static final int WAITED_SYSTEM = 14;
    private static final int THREADS = 17;
    private static final int START = 19;
    private static final int RESIDENT = 21;

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
        long own = sum(stat, rest, USER, SYSTEM);
        long waited = sum(stat, rest, WAITED_USER, WAITED_SYSTEM);
        long resident = Fields.number(stat, rest, RESIDENT);
        if (pid < 0 || parent == Fields.NONE || session == Fields.NONE || threads == Fields.NONE) {
            return Optional.empty();
        }
        if (start < 0 || own < 0 || waited < 0 || resident < 0) {
            return Optional.empty();
        }
        // A leader that has ended before its other threads looks dead, but they still run.
        boolean dead = "ZX".indexOf(stat.charAt(rest)) >= 0 && threads <= 1;
        return dead
                ? Optional.empty()
                : Optional.of(new ProcessEntry(pid, parent, session, start, own, waited, resident));
    }

    private static long sum(String stat, int from, int first, int second) {
        long one = Fields.number(stat, from, first);
        long other = Fields.number(stat, from, second);
        return one < 0 || other < 0 ? Fields.NONE : one + other;
    }

    /** Returns the clock ticks on a CPU that it has of its own and of those that it has waited for. */
    public long allTicks() {
        return ownTicks + waitedTicks;
    }
}
