package org.interference.yarn.testbed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * The results of all runs as four tables of tab-separated lines. A run counts once its line is in runs.tsv, the last that is
 * written: what an interrupted one left in the others is passed over. One writer at a time.
 */
final class ResultFiles {
    private static final String TAB = "\t";
    private static final String RUNS =
            "run\tmix\tpolicy\trepetition\twaited_before\tstolen_before\tstolen\tmaster_cpu_s\tslots";
    private static final String JOBS =
            "run\tjob\tkind\tapplication\tqueue\tsubmitted\tstarted\tended\tstate\tcontainers\tnodes\tslot_s";
    private static final String CONTAINERS = "run\tapplication\tcontainer\tkind\tnode\tbegan\tended";

    private static final String USAGE = "run\tsecond\tslots\tcpus";

    private final Path directory;

    ResultFiles(Path directory) {
        this.directory = directory;
    }

    /**
     * Adds one run.
     *
     * @param run a name that no other has
     */
    void append(String run, RunResult result) throws IOException {
        Files.createDirectories(directory);
        append(
                "containers.tsv",
                CONTAINERS,
                result.containers().stream()
                        .map(container -> line(
                                run,
                                container.application(),
                                container.container(),
                                container.kind(),
                                container.host(),
                                seconds(container.began()),
                                seconds(container.ended())))
                        .toList());
        append(
                "jobs.tsv",
                JOBS,
                result.jobs().stream()
                        .map(job -> line(
                                run,
                                String.valueOf(job.number()),
                                job.kind(),
                                job.application(),
                                job.queue(),
                                seconds(job.submitted()),
                                seconds(job.started()),
                                seconds(job.ended()),
                                job.state(),
                                String.valueOf(job.containers()),
                                String.join(",", job.hosts()),
                                seconds(job.slotSeconds())))
                        .toList());
        append(
                "usage.tsv",
                USAGE,
                result.usage().stream()
                        .map(usage -> line(run, seconds(usage.second()), seconds(usage.slots()), seconds(usage.cpus())))
                        .toList());
        RunConditions conditions = result.conditions();
        append(
                "runs.tsv",
                RUNS,
                List.of(line(
                        run,
                        result.key().line(),
                        seconds(conditions.waitedBefore()),
                        seconds(conditions.stolenBefore()),
                        seconds(conditions.stolen()),
                        seconds(conditions.masterSeconds()),
                        String.valueOf(result.slots()))));
    }

    /** Returns the runs that came to their end, in the order in which they did. */
    List<RunResult> read() throws IOException {
        List<String[]> jobs = rows("jobs.tsv", JOBS);
        List<String[]> containers = rows("containers.tsv", CONTAINERS);
        List<String[]> usage = rows("usage.tsv", USAGE);
        List<RunResult> results = new ArrayList<>();
        for (String[] row : rows("runs.tsv", RUNS)) {
            results.add(new RunResult(
                    new RunKey(Mix.named(row[1]), row[2], Integer.parseInt(row[3])),
                    new RunConditions(number(row[4]), number(row[5]), number(row[6]), number(row[7])),
                    Integer.parseInt(row[8]),
                    jobs.stream()
                            .filter(job -> job[0].equals(row[0]))
                            .map(ResultFiles::job)
                            .toList(),
                    containers.stream()
                            .filter(container -> container[0].equals(row[0]))
                            .map(ResultFiles::container)
                            .toList(),
                    usage.stream()
                            .filter(moment -> moment[0].equals(row[0]))
                            .map(moment -> new ClusterUsage(number(moment[1]), number(moment[2]), number(moment[3])))
                            .toList()));
        }
        return results;
    }

    private static JobResult job(String[] row) {
        return new JobResult(
                Integer.parseInt(row[1]),
                row[2],
                row[3],
                row[4],
                number(row[5]),
                optional(row[6]),
                optional(row[7]),
                row[8],
                Integer.parseInt(row[9]),
                row[10].isEmpty() ? List.of() : List.of(row[10].split(",", -1)),
                number(row[11]));
    }

    private static ContainerResult container(String[] row) {
        return new ContainerResult(row[1], row[2], row[3], row[4], number(row[5]), number(row[6]));
    }

    private void append(String name, String header, List<String> lines) throws IOException {
        Path file = directory.resolve(name);
        List<String> all = new ArrayList<>(lines);
        if (!Files.exists(file)) {
            all.add(0, header);
        } else if (!Files.readString(file).endsWith("\n")) {
            // The line that a killed writer cut off is not to swallow the next one.
            all.add(0, "");
        }
        Files.writeString(
                file,
                all.stream().map(line -> line + "\n").collect(Collectors.joining()),
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private List<String[]> rows(String name, String header) throws IOException {
        Path file = directory.resolve(name);
        if (!Files.exists(file)) {
            return List.of();
        }
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty() || !lines.get(0).equals(header)) {
            throw new IOException(file + " is not a table of this version: its first line must be '" + header + "'");
        }
        int columns = header.split(TAB, -1).length;
        // A line without all its columns was cut off when its writer was killed.
        return lines.stream()
                .skip(1)
                .map(line -> line.split(TAB, -1))
                .filter(row -> row.length == columns)
                .toList();
    }

    private static String line(String... fields) {
        return String.join(TAB, fields);
    }

    private static String seconds(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    private static String seconds(OptionalDouble value) {
        return value.isPresent() ? seconds(value.getAsDouble()) : "";
    }

    private static double number(String text) {
        return Double.parseDouble(text);
    }

    private static OptionalDouble optional(String text) {
        return text.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(number(text));
    }
}
