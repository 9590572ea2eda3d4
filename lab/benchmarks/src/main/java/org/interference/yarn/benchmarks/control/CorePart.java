package org.interference.yarn.benchmarks.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.interference.yarn.benchmarks.Results;
import org.interference.yarn.nm.control.ControlSettings;
import org.interference.yarn.nm.control.Controller;
import org.interference.yarn.nm.control.CoreAllocator;
import org.interference.yarn.nm.control.CoreSet;
import org.interference.yarn.nm.control.CoreSharing;
import org.interference.yarn.nm.control.LearnedClassifier;

/** What the core allocator gains and loses: work of the same tasks in windows with and without it, in turn. */
final class CorePart {
    private static final String CPU = "cpu-integer";
    private static final String MATRIX = "cpu-matrix";
    private static final String READS = "disk-random";
    private static final String WRITES = "disk-write";
    private static final long REGION = 64L << 20;
    private static final Duration WARM_UP = Duration.ofSeconds(2);
    private static final Duration FIRST_HOLD_OFF = Duration.ofMinutes(1);
    private static final Duration LONGEST_HOLD_OFF = Duration.ofHours(1);

    /** How the names of mixes end that are controlled by CSS's own rule. */
    private static final String PUBLISHED = "_published";

    /** The paper's claim is about the numbers; the others are where our rule can only lose. */
    private static final Map<String, List<String>> MIXES = new LinkedHashMap<>();

    static {
        MIXES.put("2", List.of(CPU, READS));
        MIXES.put("4", List.of(CPU, READS, MATRIX, WRITES));
        MIXES.put("8", List.of(CPU, READS, MATRIX, WRITES, CPU, READS, MATRIX, WRITES));
        MIXES.put("three_computing", List.of(CPU, MATRIX, CPU));
        MIXES.put("three_reading", List.of(READS, READS, READS));
        MIXES.put("phases", List.of("cpu-disk", "cpu-light", READS));
    }

    /** Of our rule. */
    static final List<String> NAMES = List.copyOf(MIXES.keySet());

    /** Of CSS's; the collector must count futex calls. */
    private static final List<String> PUBLISHED_NAMES =
            Stream.of("2", "4", "8").map(mix -> mix + PUBLISHED).toList();

    private final Bed bed;
    private final Path contender;
    private final Duration window;
    private final CoreSet cores;
    private int number;

    CorePart(Bed bed, Path contender, Duration window, CoreSet cores) {
        this.bed = bed;
        this.contender = contender;
        this.window = window;
        this.cores = cores;
    }

    /** @param mixes names; each gets its mean and interval in {@code results} */
    void measure(List<String> mixes, int pairs, Duration interval, Results results) throws IOException {
        if (!Stream.concat(NAMES.stream(), PUBLISHED_NAMES.stream()).toList().containsAll(mixes)) {
            throw new IllegalArgumentException("mixes are %s and %s, got %s".formatted(NAMES, PUBLISHED_NAMES, mixes));
        }
        Map<String, PairedGains> gains = new LinkedHashMap<>();
        mixes.forEach(mix -> gains.put(mix, new PairedGains()));
        for (int pair = 0; pair < pairs; pair++) {
            for (String mix : mixes) {
                boolean first = pair % 2 == 0;
                ControlSettings settings = mix.endsWith(PUBLISHED) ? published() : ours(interval);
                List<String> kinds = MIXES.get(mix.replace(PUBLISHED, ""));
                List<Double> one = run(kinds, first, settings);
                List<Double> other = run(kinds, !first, settings);
                gains.get(mix).add(gain(first ? one : other, first ? other : one));
                System.out.printf(
                        "pair %d, %s: %+.4f%n", pair + 1, mix, gains.get(mix).mean());
            }
        }
        gains.forEach((mix, found) -> found.putInto(results, mix));
    }

    /** Of the geometric mean over the tasks. */
    private static double gain(List<Double> on, List<Double> off) {
        double sum = 0;
        for (int i = 0; i < on.size(); i++) {
            sum += Math.log(on.get(i) / off.get(i));
        }
        return Math.exp(sum / on.size()) - 1;
    }

    private List<Double> run(List<String> kinds, boolean on, ControlSettings settings) throws IOException {
        List<Task> tasks = new ArrayList<>();
        try {
            for (String kind : kinds) {
                tasks.add(start(kind, tasks.size()));
            }
            tasks.forEach(bed::add);
            bed.await(after(WARM_UP), settings.interval(), Optional.empty(), false);
            List<Long> before = tasks.stream().map(Task::work).toList();
            Optional<Controller> controller = on ? Optional.of(new Controller(settings, cores)) : Optional.empty();
            double seconds = bed.await(after(window), settings.interval(), controller, on)
                            .toNanos()
                    / 1e9;
            List<Double> rates = new ArrayList<>();
            for (int i = 0; i < tasks.size(); i++) {
                rates.add((tasks.get(i).work() - before.get(i)) / seconds);
            }
            return rates;
        } finally {
            tasks.forEach(bed::remove);
            tasks.forEach(Task::close);
        }
    }

    private static Bed.Condition after(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        return () -> System.nanoTime() - end >= 0;
    }

    private Task start(String kind, int place) throws IOException {
        Path directory = Files.createDirectories(bed.directory().resolve("task" + place));
        Path counter = Files.write(directory.resolve("work"), new byte[Long.BYTES]);
        List<String> command = new ArrayList<>(List.of(contender.toString(), kind, counter.toString()));
        if (kind.contains("disk")) {
            command.addAll(List.of(region(directory).toString(), "0", Long.toString(REGION)));
        }
        number++;
        String id = "container_1_0001_01_%06d".formatted(number + 1);
        return Task.start(id, command, Optional.of(counter), Optional.empty(), directory.resolve("log"));
    }

    private static Path region(Path directory) throws IOException {
        Path region = directory.resolve("region");
        if (!Files.exists(region) || Files.size(region) != REGION) {
            Files.write(region, new byte[(int) REGION]);
        }
        return region;
    }

    private static ControlSettings published() {
        return ControlSettings.published(Optional.empty(), OptionalDouble.empty(), FIRST_HOLD_OFF, LONGEST_HOLD_OFF);
    }

    private static ControlSettings ours(Duration interval) {
        return new ControlSettings(
                interval,
                interval.multipliedBy(10),
                LearnedClassifier.INSTANCE,
                Optional.of(new CoreAllocator(1, CoreSharing.SAME_CORE)),
                Optional.empty(),
                OptionalDouble.empty(),
                FIRST_HOLD_OFF,
                LONGEST_HOLD_OFF);
    }
}
