package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A made-up /proc and /sys of a node with two CPUs, a GiB of memory and one disk, {@code sda} (8:0) with the partition {@code sda1}. */
final class FakeProc {
    static final long PAGE = 65_536;

    final Path proc;
    final Path sys;

    FakeProc(Path directory) {
        proc = directory.resolve("proc");
        sys = directory.resolve("sys");
        write(sys.resolve("devices/system/cpu/online"), "0-1\n");
        write(sys.resolve("block/sda/device/vendor"), "fake\n");
        write(sys.resolve("block/sda/dev"), "8:0\n");
        write(sys.resolve("block/loop0/dev"), "7:0\n");
        write(proc.resolve("self/mountinfo"), "");
        write(proc.resolve("uptime"), "1 1\n");
        write(proc.resolve("meminfo"), "MemTotal: 1048576 kB\nMemFree: 1 kB\n");
        pageSize();
        disk(0, 0, 0, 0);
    }

    /** The kernel's pairs of a key and a value; 6 is the page size. */
    private void pageSize() {
        ByteBuffer pairs = ByteBuffer.allocate(4 * Long.BYTES).order(ByteOrder.nativeOrder());
        pairs.putLong(16).putLong(1).putLong(6).putLong(PAGE);
        try {
            Files.write(proc.resolve("self/auxv"), pairs.array());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void disk(long sectorsRead, long millisReading, long sectorsWritten, long millisWriting) {
        String counts =
                "1 0 %d %d 1 0 %d %d 0 0 0\n".formatted(sectorsRead, millisReading, sectorsWritten, millisWriting);
        write(proc.resolve("diskstats"), "8 0 sda " + counts + "8 1 sda1 " + counts + "7 0 loop0 " + counts);
    }

    /** A process outside of all control groups that has done nothing yet. */
    void process(long pid, long parent, long session) {
        process(pid, parent, session, 0, 0, 0);
        write(proc.resolve(pid + "/cgroup"), "0::/\n");
    }

    /**
     * The same process later on.
     *
     * @param ticks on a CPU, in hundredths of a second
     * @param waited the same of children that it has waited for
     */
    void process(long pid, long parent, long session, long ticks, long waited, long pages) {
        stat(pid, parent, session, ticks, waited, pages, 77);
    }

    /** Another process, which has got the pid of one that ended. */
    void recycled(long pid, long ticks) {
        stat(pid, 1, pid, ticks, 0, 0, 99);
    }

    private void stat(long pid, long parent, long session, long ticks, long waited, long pages, long start) {
        write(
                proc.resolve(pid + "/stat"),
                "%d (java (x)) S %d 1 %d 0 -1 1 2 3 4 5 %d 0 %d 0 20 0 200 0 %d 23 %d 25 26 27 28 29 30 31 32 33\n"
                        .formatted(pid, parent, session, ticks, waited, start, pages));
    }

    void end(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
