package org.interference.yarn.dispatch;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads a job list: tab-separated, with the columns
 *
 * <ul>
 *   <li>{@code workload}: the kind of task, lower case; without a program, a workload of workloads.tsv, such as
 *       {@code wordcount-mapreduce};
 *   <li>{@code framework}: {@code mapreduce}, {@code spark} or {@code command}; needed with a program;
 *   <li>{@code program}: a class that is a Hadoop Tool, a Spark main class, or the path of a program;
 *   <li>{@code jar}: what holds the class; without it, Hadoop's examples and test jobs do;
 *   <li>{@code arguments}: split at blanks, with {@link Places};
 *   <li>{@code queue}: instead of the run's;
 *   <li>{@code count}: how many of it, 1 if absent.
 * </ul>
 *
 * Pure.
 */
final class JobList {
    private static final Set<String> COLUMNS =
            Set.of("workload", "framework", "program", "jar", "arguments", "queue", "count");
    private static final Pattern KIND = Pattern.compile("[a-z0-9][a-z0-9._-]{0,89}");
    private static final Pattern QUEUE = Pattern.compile("[A-Za-z0-9._-]{1,200}");
    private static final int MOST = 100_000;

    private JobList() {}

    static List<Job> of(List<String> lines, String file, WorkloadTable table, ScaleProfile scale)
            throws InputException {
        List<Job> jobs = new ArrayList<>();
        for (Tsv.Row row : Tsv.read(lines, file, COLUMNS, Set.of("workload"))) {
            jobs.addAll(Collections.nCopies(count(row), job(row, table, scale)));
            if (jobs.size() > MOST) {
                throw row.problem(
                        "brings the list to %d jobs; at most %d can be dispatched".formatted(jobs.size(), MOST));
            }
        }
        if (jobs.isEmpty()) {
            throw new InputException("%s: has no jobs".formatted(file));
        }
        return jobs;
    }

    private static Job job(Tsv.Row row, WorkloadTable table, ScaleProfile scale) throws InputException {
        String workload = row.required("workload");
        Optional<String> queue = row.field("queue");
        if (queue.isPresent() && !QUEUE.matcher(queue.get()).matches()) {
            throw row.problem("queue is '%s', which is no queue's name".formatted(Tsv.shown(queue.get())));
        }
        if (row.field("program").isEmpty()) {
            return standIn(row, workload, queue, table, scale);
        }
        if (!KIND.matcher(workload).matches()) {
            throw row.problem("workload is '%s' but must be 1 to 90 of a-z, 0-9, '.', '_' and '-', as it becomes a tag"
                    .formatted(Tsv.shown(workload)));
        }
        Framework framework = Framework.of(row, "framework");
        if (framework == Framework.HIBENCH || framework == Framework.STORM) {
            throw row.problem("framework is '%s', whose jobs --hibench makes".formatted(framework.label()));
        }
        return new Job(
                workload,
                framework,
                row.required("program"),
                row.field("jar"),
                Words.of(row, row.field("arguments").orElse("")),
                Optional.empty(),
                queue);
    }

    private static Job standIn(
            Tsv.Row row, String workload, Optional<String> queue, WorkloadTable table, ScaleProfile scale)
            throws InputException {
        List<WorkloadEntry> named = table.named(workload);
        if (named.isEmpty()) {
            throw row.problem("workload is '%s', which workloads.tsv does not have, and there is no program"
                    .formatted(Tsv.shown(workload)));
        }
        if (named.size() > 1) {
            throw row.problem("workload is '%s', which is each of %s"
                    .formatted(
                            Tsv.shown(workload),
                            String.join(
                                    ", ",
                                    named.stream().map(WorkloadEntry::kind).toList())));
        }
        Job job = named.get(0)
                .standIn(scale)
                .orElseThrow(() -> row.problem("workload is '%s', for which nothing stands in here: see workloads.tsv"
                        .formatted(Tsv.shown(workload))));
        return new Job(job.workload(), job.framework(), job.program(), job.jar(), job.arguments(), job.data(), queue);
    }

    private static int count(Tsv.Row row) throws InputException {
        Optional<String> text = row.field("count");
        if (text.isEmpty()) {
            return 1;
        }
        if (!text.get().matches("[0-9]{1,6}")
                || Integer.parseInt(text.get()) == 0
                || Integer.parseInt(text.get()) > MOST) {
            throw row.problem(
                    "count is '%s' but must be a whole number from 1 to %d".formatted(Tsv.shown(text.get()), MOST));
        }
        return Integer.parseInt(text.get());
    }
}
