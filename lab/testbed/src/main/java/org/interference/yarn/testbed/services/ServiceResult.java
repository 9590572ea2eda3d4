package org.interference.yarn.testbed.services;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one tier's requests took in one run.
 *
 * @param waited the share of the last five seconds before the run in which some process waited for a CPU, in per cent
 * @param requests answered while measured
 * @param mean of their times, in ms
 * @param p95 of their times, in ms
 */
record ServiceResult(
        String name,
        PlannedBy plan,
        int repetition,
        double waited,
        String tier,
        int requests,
        double mean,
        double p95) {
    private static final String HEADING = "case\tplan\trepetition\twaited\ttier\trequests\tmean_ms\tp95_ms";
    private static final int FIELDS = 8;

    private String line() {
        return Stream.of(name, plan, repetition, waited, tier, requests, mean, p95)
                .map(String::valueOf)
                .collect(Collectors.joining("\t"));
    }

    private static ServiceResult of(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("this is no result: " + line);
        }
        return new ServiceResult(
                fields[0],
                PlannedBy.named(fields[1]),
                Integer.parseInt(fields[2]),
                Double.parseDouble(fields[3]),
                fields[4],
                Integer.parseInt(fields[5]),
                Double.parseDouble(fields[6]),
                Double.parseDouble(fields[7]));
    }

    /** Returns what {@code file} has, which may not be there. */
    static List<ServiceResult> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        return Files.readAllLines(file).stream().skip(1).map(ServiceResult::of).toList();
    }

    /** Adds a run's results to {@code file}, all at once. */
    static void append(Path file, List<ServiceResult> run) throws IOException {
        StringBuilder lines = new StringBuilder();
        if (!Files.exists(file)) {
            lines.append(HEADING).append('\n');
        }
        run.forEach(result -> lines.append(result.line()).append('\n'));
        Files.writeString(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
