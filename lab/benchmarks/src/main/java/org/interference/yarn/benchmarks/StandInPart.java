package org.interference.yarn.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.interference.yarn.nm.collect.ControlGroupCounterSource;
import org.interference.yarn.nm.collect.WatchedContainer;

/**
 * What a tick costs while no collector answers: 40 containers of 200 threads each, with control groups of their own and without. The files
 * are made up, on a disk: what the kernel does to write them is not in it.
 */
final class StandInPart {
    private static final int CONTAINERS = 40;
    private static final int THREADS = 200;
    private static final int WARM_UP = 200;
    private static final int TICKS = 200;

    private StandInPart() {}

    static void measure(Results results) throws IOException {
        results.put("stand_in_tick_groups_ms", millis(true));
        results.put("stand_in_tick_processes_ms", millis(false));
        results.put("stand_in_containers_threads", CONTAINERS + " x " + THREADS);
    }

    /** Returns the CPU time of a tick, in ms. */
    private static double millis(boolean groups) throws IOException {
        Path directory = Files.createTempDirectory("stand-in");
        try (ControlGroupCounterSource source =
                new ControlGroupCounterSource(directory.resolve("proc"), directory.resolve("sys"), System::nanoTime)) {
            List<WatchedContainer> containers = node(directory, groups);
            for (int tick = 0; tick < WARM_UP; tick++) {
                source.snapshot(containers);
            }
            long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            for (int tick = 0; tick < TICKS; tick++) {
                source.snapshot(containers);
            }
            return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1e6 / TICKS;
        } finally {
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder()).forEach(StandInPart::delete);
            }
        }
    }

    private static List<WatchedContainer> node(Path directory, boolean groups) throws IOException {
        write(directory.resolve("sys/devices/system/cpu/online"), "0-1\n");
        write(directory.resolve("sys/block/sda/device/vendor"), "x\n");
        write(directory.resolve("sys/block/sda/dev"), "8:0\n");
        write(directory.resolve("proc/meminfo"), "MemTotal: 1048576 kB\n");
        write(
                directory.resolve("proc/self/mountinfo"),
                "41 31 0:38 / " + directory.resolve("cgroup") + " rw - cgroup2 cgroup2 rw\n");
        List<WatchedContainer> containers = new ArrayList<>();
        for (int number = 0; number < CONTAINERS; number++) {
            long pid = 1000L * (number + 1);
            WatchedContainer container = new WatchedContainer("container_1_0001_01_%06d".formatted(number), pid);
            process(directory.resolve("proc/" + pid), pid, groups ? "/yarn/" + container.id() : "/");
            if (groups) {
                group(directory.resolve("cgroup/yarn").resolve(container.id()));
            }
            containers.add(container);
        }
        return containers;
    }

    private static void process(Path process, long pid, String group) throws IOException {
        String stat = "%1$d (java) S 1 %1$d %1$d 0 -1 0 0 0 0 0 5 6 7 8 20 0 %2$d 0 77 9 10 0 0 0 0 0 0 0 0 0\n"
                .formatted(pid, THREADS);
        write(process.resolve("stat"), stat);
        write(process.resolve("cgroup"), "0::" + group + "\n");
        for (long thread = pid; thread < pid + THREADS; thread++) {
            write(process.resolve("task/" + thread + "/stat"), stat);
            write(process.resolve("task/" + thread + "/schedstat"), "1 1 1\n");
        }
    }

    private static void group(Path group) throws IOException {
        write(group.resolve("cpu.stat"), "usage_usec 1\nuser_usec 1\nsystem_usec 1\n");
        write(group.resolve("memory.current"), "4096\n");
        // As long as the kernel's.
        write(
                group.resolve("memory.stat"),
                "anon 1\nfile 1\n" + "workingset_refault 0\n".repeat(50) + "inactive_file 1\n");
        write(group.resolve("io.stat"), "8:0 rbytes=1 wbytes=1 rios=1 wios=1 dbytes=0 dios=0\n");
        for (String kind : List.of("cpu", "io", "memory")) {
            write(
                    group.resolve(kind + ".pressure"),
                    "some avg10=0.00 avg60=0.00 avg300=0.00 total=1\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=1\n");
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void delete(Path file) {
        try {
            Files.delete(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
