package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A made-up /proc and /sys of a node with two CPUs and one disk, {@code sda} with the partition {@code sda1}. */
final class FakeProc {
    final Path proc;
    final Path sys;

    FakeProc(Path directory) {
        proc = directory.resolve("proc");
        sys = directory.resolve("sys");
        write(sys.resolve("devices/system/cpu/online"), "0-1\n");
        write(sys.resolve("block/sda/device/vendor"), "fake\n");
        write(sys.resolve("block/loop0/size"), "0\n");
        write(proc.resolve("self/schedstat"), "0 0 0\n");
        write(proc.resolve("self/mountinfo"), "");
        write(proc.resolve("uptime"), "1 1\n");
        delayAccounting(0);
        disk(0, 0, 0, 0);
    }

    void delayAccounting(int flag) {
        write(proc.resolve("sys/kernel/task_delayacct"), flag + "\n");
    }

    void disk(long sectorsRead, long millisReading, long sectorsWritten, long millisWriting) {
        String counts =
                "1 0 %d %d 1 0 %d %d 0 0 0\n".formatted(sectorsRead, millisReading, sectorsWritten, millisWriting);
        write(proc.resolve("diskstats"), "8 0 sda " + counts + "8 1 sda1 " + counts + "7 0 loop0 " + counts);
    }

    void process(long pid, long parent, long session) {
        write(proc.resolve(pid + "/stat"), stat(pid, parent, session, 0));
        write(proc.resolve(pid + "/cgroup"), "0::/\n");
        io(pid, 0, 0);
    }

    void thread(long pid, long tid, long onCpuNanos, long waitNanos) {
        thread(pid, tid, onCpuNanos, waitNanos, 0);
    }

    void thread(long pid, long tid, long onCpuNanos, long waitNanos, long blkioTicks) {
        write(proc.resolve(pid + "/task/" + tid + "/schedstat"), onCpuNanos + " " + waitNanos + " 1\n");
        write(proc.resolve(pid + "/task/" + tid + "/stat"), stat(tid, 1, 1, blkioTicks));
    }

    void io(long pid, long readBytes, long writeBytes) {
        write(
                proc.resolve(pid + "/io"),
                "rchar: 1\nread_bytes: %d\nwrite_bytes: %d\ncancelled_write_bytes: 0\n"
                        .formatted(readBytes, writeBytes));
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

    private static String stat(long pid, long parent, long session, long blkioTicks) {
        return "%d (java (x)) S %d 1 %d 0 -1 1 2 3 4 5 6 7 8 9 20 0 1 0 77 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 17 1 0 0 %d 0 0\n"
                .formatted(pid, parent, session, blkioTicks);
    }
}
