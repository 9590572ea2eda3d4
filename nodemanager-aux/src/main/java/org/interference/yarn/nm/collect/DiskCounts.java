package org.interference.yarn.nm.collect;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What the kernel has counted of one disk, or of all, since boot.
 *
 * @param readMillis sum over the requests that read of the time from issue to completion; several in flight add up
 * @param writeMillis the same over the requests that write or flush
 * @param reads requests that read and are complete
 * @param writes the same of those that write
 */
record DiskCounts(long readBytes, long writtenBytes, long readMillis, long writeMillis, long reads, long writes) {
    static final DiskCounts NONE = new DiskCounts(0, 0, 0, 0, 0, 0);

    private static final int SECTOR_BYTES = 512;
    private static final int NAME = 2;
    private static final int READS = 3;
    private static final int SECTORS_READ = 5;
    private static final int MILLIS_READING = 6;
    private static final int WRITES = 7;
    private static final int SECTORS_WRITTEN = 9;
    private static final int MILLIS_WRITING = 10;
    private static final int MILLIS_FLUSHING = 19;

    /** Milliseconds are 32 bit in the kernel; a smaller value after one from the upper half has wrapped. */
    private static final long WRAP = 1L << 32;

    /** Parses the text of {@code /proc/diskstats}; devices other than {@code disks} hold the same requests again. */
    static Map<String, DiskCounts> parse(String diskstats, Set<String> disks) {
        Map<String, DiskCounts> parsed = new HashMap<>();
        for (String line : diskstats.lines().toList()) {
            String[] fields = line.strip().split(" +", -1);
            if (fields.length > MILLIS_WRITING && disks.contains(fields[NAME])) {
                try {
                    parsed.put(fields[NAME], of(fields));
                } catch (NumberFormatException e) {
                    // A line in a format that no kernel has is not a disk.
                }
            }
        }
        return parsed;
    }

    private static DiskCounts of(String[] fields) {
        long flushing = fields.length > MILLIS_FLUSHING ? Long.parseLong(fields[MILLIS_FLUSHING]) : 0;
        return new DiskCounts(
                Long.parseLong(fields[SECTORS_READ]) * SECTOR_BYTES,
                Long.parseLong(fields[SECTORS_WRITTEN]) * SECTOR_BYTES,
                Long.parseLong(fields[MILLIS_READING]),
                Long.parseLong(fields[MILLIS_WRITING]) + flushing,
                Long.parseLong(fields[READS]),
                Long.parseLong(fields[WRITES]));
    }

    DiskCounts plus(DiskCounts other) {
        return new DiskCounts(
                readBytes + other.readBytes,
                writtenBytes + other.writtenBytes,
                readMillis + other.readMillis,
                writeMillis + other.writeMillis,
                reads + other.reads,
                writes + other.writes);
    }

    /** Returns the growth of {@code disks} since {@code last}; a disk that was not there before has none. */
    static DiskCounts growth(Map<String, DiskCounts> last, Map<String, DiskCounts> disks) {
        DiskCounts growth = NONE;
        for (Map.Entry<String, DiskCounts> disk : disks.entrySet()) {
            DiskCounts from = last.get(disk.getKey());
            if (from != null) {
                growth = growth.plus(disk.getValue().since(from));
            }
        }
        return growth;
    }

    private DiskCounts since(DiskCounts from) {
        return new DiskCounts(
                Math.max(0, readBytes - from.readBytes),
                Math.max(0, writtenBytes - from.writtenBytes),
                millisSince(from.readMillis, readMillis),
                millisSince(from.writeMillis, writeMillis),
                Math.max(0, reads - from.reads),
                Math.max(0, writes - from.writes));
    }

    private static long millisSince(long from, long to) {
        if (to >= from) {
            return to - from;
        }
        long wrapped = to + WRAP - from;
        return wrapped < WRAP / 2 ? wrapped : 0;
    }
}
