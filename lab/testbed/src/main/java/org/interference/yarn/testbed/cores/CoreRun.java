package org.interference.yarn.testbed.cores;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one mix did under one rule.
 *
 * @param rule {@code off}, {@code again}, which is off, too, {@code ours} or {@code published}
 * @param waited the share of the last five seconds before the run in which some process waited for a CPU, in per cent
 * @param stolen the share of CPU time that the hypervisor kept during the run, in per cent
 * @param rates units of work a second of each container, {@code > 0}, in no order
 */
record CoreRun(String mix, String rule, int repetition, double waited, double stolen, List<Double> rates) {
    private static final String HEADING = "mix\trule\trepetition\twaited\tstolen\trates";
    private static final int FIELDS = 6;

    CoreRun {
        rates = List.copyOf(rates);
    }

    /** Returns the logarithm of the geometric mean of the rates: all kinds of work count alike. */
    double logOfRate() {
        return rates.stream().mapToDouble(Math::log).average().orElseThrow();
    }

    private String line() {
        String all = rates.stream().map(String::valueOf).collect(Collectors.joining(" "));
        return Stream.of(mix, rule, repetition, waited, stolen, all)
                .map(String::valueOf)
                .collect(Collectors.joining("\t"));
    }

    private static CoreRun of(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS) {
            throw new IllegalArgumentException("this is no run: " + line);
        }
        return new CoreRun(
                fields[0],
                fields[1],
                Integer.parseInt(fields[2]),
                Double.parseDouble(fields[3]),
                Double.parseDouble(fields[4]),
                Stream.of(fields[5].split(" ", -1)).map(Double::valueOf).toList());
    }

    /** Returns what {@code file} has, which may not be there. */
    static List<CoreRun> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return List.of();
        }
        return Files.readAllLines(file).stream().skip(1).map(CoreRun::of).toList();
    }

    /** Adds this run to {@code file}. */
    void append(Path file) throws IOException {
        String lines = (Files.exists(file) ? "" : HEADING + "\n") + line() + "\n";
        Files.writeString(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
