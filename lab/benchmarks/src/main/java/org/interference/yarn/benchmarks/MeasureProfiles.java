package org.interference.yarn.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.ProfileRepository.Change;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.profile.store.LocalDirectory;
import org.interference.yarn.profile.store.ProfileStore;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Measures one part of keeping 100,000 profiles and adds its figures to a file; bin/lab profiles gives each a JVM. */
public final class MeasureProfiles {
    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private static final double NANOS_PER_MS = 1e6;
    private static final double BYTES_PER_MB = 1e6;
    private static final int CHANGES = 1000;
    private static final int SAVES = 21;
    private static final long SMALLEST_LOG = 8L << 20;
    private static final int COLLECTIONS = 3;
    private static final int LOOKUPS = 2_000_000;
    private static final int WARM_UP_ROUNDS = 3;
    private static final int ROUNDS = 11;

    private MeasureProfiles() {}

    /** Usage: {@code MeasureProfiles lookup|lookup_cpu|heap|store DIRECTORY FILE}. */
    public static void main(String[] args) throws IOException, RunnerException {
        Path directory = Files.createDirectories(Path.of(args[1]));
        Path file = Path.of(args[2]);
        ObjectNode document = Files.exists(file) ? (ObjectNode) JSON.readTree(file.toFile()) : header();
        ObjectNode results = (ObjectNode) document.get("results");
        switch (args[0]) {
            case "lookup" -> lookup(new Results(results));
            case "lookup_cpu" -> lookupByProcessorTime(new Results(results));
            case "heap" -> heap(new Results(results));
            case "store" -> store(directory, new Results(results.putObject("log_and_snapshot")));
            default -> throw new IllegalArgumentException("there is no part " + args[0]);
        }
        Files.writeString(file, JSON.writeValueAsString(document) + "\n");
    }

    private static ObjectNode header() throws IOException {
        ObjectNode document = JSON.createObjectNode();
        document.put("name", "profiles");
        document.put("command", "bin/lab profiles");
        document.set("machine", JSON.valueToTree(MachineDescription.describe()));
        document.put("date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        document.put(
                "load_average_at_start",
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        document.putObject("results");
        return document;
    }

    private static void lookup(Results results) throws RunnerException {
        for (RunResult run : new Runner(new OptionsBuilder()
                        .include(LookupBenchmark.class.getSimpleName())
                        .shouldFailOnError(true)
                        .build())
                .run()) {
            results.put(
                    run.getPrimaryResult().getLabel() + "_ns",
                    run.getPrimaryResult().getScore());
            results.put(
                    run.getPrimaryResult().getLabel() + "_ns_error",
                    run.getPrimaryResult().getScoreError());
        }
    }

    /** By processor time: on a busy machine a benchmark's clock also counts the turns of others. */
    private static void lookupByProcessorTime(Results results) {
        LookupBenchmark benchmark = new LookupBenchmark();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        double[] figures = new double[ROUNDS];
        long found = 0;
        for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
            long start = threads.getCurrentThreadCpuTime();
            for (int i = 0; i < LOOKUPS; i++) {
                found += benchmark.find().isPresent() ? 1 : 0;
            }
            if (round >= 0) {
                figures[round] = (double) (threads.getCurrentThreadCpuTime() - start) / LOOKUPS;
            }
        }
        if (found != (long) LOOKUPS * (ROUNDS + WARM_UP_ROUNDS)) {
            throw new IllegalStateException("only %d profiles were found".formatted(found));
        }
        results.put("find_cpu_ns", Distribution.of(figures));
    }

    private static void heap(Results results) {
        long before = used();
        ProfileRepository repository = SyntheticProfiles.repository();
        results.put("heap_bytes_per_profile", (double) (used() - before) / repository.size());
        results.put("profiles", (long) repository.size());
    }

    private static long used() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    private static void store(Path directory, Results results) throws IOException {
        ProfileRepository repository = SyntheticProfiles.repository();
        List<TaskProfile> all = new ArrayList<>(repository.all());
        Random random = new Random(3);
        try (ProfileStore store = open(directory).store()) {
            long start = System.nanoTime();
            store.beginSnapshot().write(all);
            results.put("fill_ms", (System.nanoTime() - start) / NANOS_PER_MS);
            double[] saves = new double[SAVES];
            for (int i = 0; i < SAVES; i++) {
                Collection<Change> changed = new ArrayList<>();
                for (int j = 0; j < CHANGES; j++) {
                    TaskProfile profile = all.get(random.nextInt(all.size()));
                    changed.add(new Change(profile.key(), Optional.of(profile)));
                }
                start = System.nanoTime();
                store.append(changed);
                saves[i] = (System.nanoTime() - start) / NANOS_PER_MS;
            }
            results.put("save_1000_changed_ms", Distribution.of(saves));
        }
        results.put("disk_mb", size(directory) / BYTES_PER_MB);
        long start = System.nanoTime();
        ProfileStore.Opened opened = open(directory);
        results.put("open_and_load_ms", (System.nanoTime() - start) / NANOS_PER_MS);
        opened.store().close();
        if (opened.profiles().size() != all.size()) {
            throw new IllegalStateException("%d of %d profiles were found again"
                    .formatted(opened.profiles().size(), all.size()));
        }
    }

    private static ProfileStore.Opened open(Path directory) throws IOException {
        return ProfileStore.open(new LocalDirectory(directory), Instant.EPOCH, SMALLEST_LOG);
    }

    private static long size(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }
}
