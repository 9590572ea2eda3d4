package org.interference.yarn.benchmarks.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.interference.yarn.benchmarks.Results;
import org.interference.yarn.nm.control.BlockedClassifier;
import org.interference.yarn.nm.control.ControlSettings;
import org.interference.yarn.nm.control.Controller;
import org.interference.yarn.nm.control.CoreSet;
import org.interference.yarn.nm.control.DiskShares;
import org.interference.yarn.signal.LaunchSignature;

/** What disk shares gain: three writers of 1:2:3 volume on one disk, until the last one is done. */
final class DiskPart {
    private static final List<Integer> PARTS = List.of(1, 2, 3);
    private static final double FLOOR = 0.1;
    private static final int MEBIBYTE = 1 << 20;

    private final Bed bed;
    private final int mebibytes;
    private final Duration interval;
    private final CoreSet cores;
    private int number;

    /** @param mebibytes what the shortest writes */
    DiskPart(Bed bed, int mebibytes, Duration interval, CoreSet cores) {
        this.bed = bed;
        this.mebibytes = mebibytes;
        this.interval = interval;
        this.cores = cores;
    }

    /** @param bytesPerSecond what the disk does, which nobody would learn of one that does not turn */
    private Controller controller(double bytesPerSecond) {
        return new Controller(
                new ControlSettings(
                        interval,
                        interval.multipliedBy(10),
                        new BlockedClassifier(0.5),
                        Optional.empty(),
                        Optional.of(new DiskShares(FLOOR)),
                        OptionalDouble.of(bytesPerSecond),
                        Duration.ofMinutes(1),
                        Duration.ofHours(1)),
                cores);
    }

    void measure(int pairs, Results results) throws IOException {
        int largest = PARTS.get(PARTS.size() - 1);
        double seconds = run(List.of(largest), Optional.empty(), false).get(0);
        Controller controller = controller((double) largest * mebibytes * MEBIBYTE / seconds);
        // Once alone: what a program writes is known from its runs before.
        for (int part : PARTS) {
            run(List.of(part), Optional.of(controller), false);
        }
        PairedGains makespan = new PairedGains();
        PairedGains completion = new PairedGains();
        for (int pair = 0; pair < pairs; pair++) {
            boolean first = pair % 2 == 0;
            List<Double> one = run(PARTS, first ? Optional.of(controller) : Optional.empty(), first);
            List<Double> other = run(PARTS, first ? Optional.empty() : Optional.of(controller), !first);
            List<Double> on = first ? one : other;
            List<Double> off = first ? other : one;
            makespan.add(1 - largest(on) / largest(off));
            completion.add(1 - mean(on) / mean(off));
            System.out.printf("pair %d: on %s, off %s%n", pair + 1, on, off);
        }
        makespan.putInto(results, "disk_makespan_gain");
        completion.putInto(results, "disk_completion_gain");
    }

    /** Returns how many seconds each writer took. */
    private List<Double> run(List<Integer> parts, Optional<Controller> chosen, boolean act) throws IOException {
        List<Task> tasks = new ArrayList<>();
        List<Double> seconds = new ArrayList<>();
        try {
            long start = System.nanoTime();
            for (int part : parts) {
                tasks.add(start(part));
                seconds.add(0.0);
            }
            tasks.forEach(bed::add);
            bed.await(
                    () -> {
                        for (int i = 0; i < tasks.size(); i++) {
                            if (seconds.get(i) == 0 && !tasks.get(i).process().isAlive()) {
                                seconds.set(i, (System.nanoTime() - start) / 1e9);
                                bed.remove(tasks.get(i));
                            }
                        }
                        return seconds.stream().noneMatch(time -> time == 0);
                    },
                    interval,
                    chosen,
                    act);
            if (tasks.stream().anyMatch(task -> task.process().exitValue() != 0)) {
                throw new IOException("a writer failed; is the disk full?");
            }
            return seconds;
        } finally {
            tasks.forEach(bed::remove);
            tasks.forEach(Task::close);
        }
    }

    private Task start(int part) throws IOException {
        number++;
        Path file = bed.directory().resolve("written" + part);
        Files.deleteIfExists(file);
        List<String> command = List.of(
                "dd",
                "if=/dev/zero",
                "of=" + file,
                "bs=256k",
                "count=" + 4 * mebibytes * part,
                "oflag=direct",
                "status=none");
        return Task.start(
                "container_1_0002_01_%06d".formatted(number + 1),
                command,
                Optional.of(new LaunchSignature(part)),
                bed.directory().resolve("log" + part));
    }

    private static double largest(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }
}
