package org.interference.yarn.nm.collect;

import java.util.Optional;

/**
 * What the kernel has counted of one process's storage I/O since it started.
 *
 * @param readBytes fetched from storage
 * @param writtenBytes dirtied in the page cache or sent to storage, less what was truncated before it got there
 */
public record IoCounts(long readBytes, long writtenBytes) {
    /** Parses the text of {@code /proc/PID/io}. */
    public static Optional<IoCounts> parse(String io) {
        long read = 0;
        long written = 0;
        int found = 0;
        for (String line : io.lines().toList()) {
            String[] halves = line.split(": ", 2);
            if (halves.length < 2) {
                continue;
            }
            try {
                switch (halves[0]) {
                    case "read_bytes" -> {
                        read = Long.parseLong(halves[1]);
                        found++;
                    }
                    case "write_bytes" -> {
                        written += Long.parseLong(halves[1]);
                        found++;
                    }
                    case "cancelled_write_bytes" -> written -= Long.parseLong(halves[1]);
                    default -> {}
                }
            } catch (NumberFormatException e) {
                return Optional.empty();
            }
        }
        return found == 2 ? Optional.of(new IoCounts(read, written)) : Optional.empty();
    }
}
