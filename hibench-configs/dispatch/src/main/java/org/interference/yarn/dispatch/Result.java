package org.interference.yarn.dispatch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.StringJoiner;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/**
 * What became of a run. Times are the ResourceManager's, so that clocks of different machines are never subtracted. Immutable as
 * long as the jobs are.
 *
 * <p>Figures of a whole run, by the formulas of {@code lab.stats.JobTimes}; there are none while it is interrupted, nor where no job
 * ended. A job is submitted with its first application, and ends with its last one, whether or not it succeeds.
 *
 * <ul>
 *   <li>makespan: max(end) - min(submission) of all jobs, in seconds;
 *   <li>turnaround: end - submission of a job, in seconds; mean over the jobs that ended;
 *   <li>density: vcore-seconds (or memory) that were allocated, over what the cluster has times the makespan, in [0, 1].
 * </ul>
 *
 * @param began when the timetable began, by this machine's clock, in ms since 1970
 * @param interrupted whether jobs are left to submit or to wait for
 * @param load what a load test has found, if it was one
 */
record Result(
        String run,
        long began,
        List<JobRun> jobs,
        Optional<Yarn.Capacity> capacity,
        boolean interrupted,
        Optional<LoadReport> load) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String COMPLETE = "complete";
    private static final String FAILED = "failed";
    private static final double MILLIS = 1000.0;

    Result {
        jobs = List.copyOf(jobs);
    }

    /** Whether every job succeeded, but those that a load test has left out. */
    boolean isSuccess() {
        return jobs.stream().allMatch(job -> job.isOver() && !job.hasFailed());
    }

    /** Returns 0 for a result, as {@link #json} writes it, of a run that succeeded, 1 if a job failed; empty if it is not over. */
    static Optional<Integer> statusOf(String json) throws JsonProcessingException {
        var result = JSON.readTree(json);
        return result.path(COMPLETE).asBoolean()
                ? Optional.of(result.path(FAILED).isEmpty() ? 0 : 1)
                : Optional.empty();
    }

    private static OptionalLong time(JobRun job, ToLongFunction<Application> time, boolean last) {
        LongStream times = job.applications().stream().mapToLong(time).filter(millis -> millis > 0);
        return last ? times.max() : times.min();
    }

    private static OptionalLong submitted(JobRun job) {
        return time(job, Application::submitted, false);
    }

    private static OptionalLong started(JobRun job) {
        return time(job, Application::launched, false);
    }

    private static OptionalLong ended(JobRun job) {
        return job.isOver() ? time(job, Application::ended, true) : OptionalLong.empty();
    }

    private static OptionalDouble turnaroundSeconds(JobRun job) {
        return submitted(job).isPresent() && ended(job).isPresent()
                ? OptionalDouble.of((ended(job).getAsLong() - submitted(job).getAsLong()) / MILLIS)
                : OptionalDouble.empty();
    }

    private static long sum(JobRun job, ToLongFunction<Application> figure) {
        return job.applications().stream().mapToLong(figure).sum();
    }

    OptionalDouble makespanSeconds() {
        if (interrupted) {
            return OptionalDouble.empty();
        }
        OptionalLong first = jobs.stream()
                .map(Result::submitted)
                .flatMapToLong(OptionalLong::stream)
                .min();
        OptionalLong last = jobs.stream()
                .map(Result::ended)
                .flatMapToLong(OptionalLong::stream)
                .max();
        return first.isPresent() && last.isPresent()
                ? OptionalDouble.of((last.getAsLong() - first.getAsLong()) / MILLIS)
                : OptionalDouble.empty();
    }

    OptionalDouble meanTurnaroundSeconds() {
        return interrupted
                ? OptionalDouble.empty()
                : jobs.stream()
                        .map(Result::turnaroundSeconds)
                        .flatMapToDouble(OptionalDouble::stream)
                        .average();
    }

    private OptionalDouble density(ToLongFunction<Application> used, ToLongFunction<Yarn.Capacity> had) {
        double whole =
                capacity.map(had::applyAsLong).orElse(0L) * makespanSeconds().orElse(0);
        return whole > 0
                ? OptionalDouble.of(
                        jobs.stream().mapToLong(job -> sum(job, used)).sum() / whole)
                : OptionalDouble.empty();
    }

    OptionalDouble density() {
        return density(Application::vcoreSeconds, Yarn.Capacity::vcores);
    }

    /** Returns the whole as JSON; failed jobs are listed, and counted nowhere else than among all. */
    String json() {
        ObjectNode json = JSON.createObjectNode()
                .put("run", run)
                .put(COMPLETE, !interrupted)
                .put("beganMillis", began);
        capacity.ifPresent(all -> json.putObject("cluster")
                .put("nodes", all.nodes())
                .put("vcores", all.vcores())
                .put("memoryMb", all.memoryMb()));
        makespanSeconds().ifPresent(value -> json.put("makespanSeconds", value));
        meanTurnaroundSeconds().ifPresent(value -> json.put("meanTurnaroundSeconds", value));
        density().ifPresent(value -> json.put("density", value));
        density(Application::memoryMbSeconds, Yarn.Capacity::memoryMb)
                .ifPresent(value -> json.put("memoryDensity", value));
        load.ifPresent(found -> json.set("loadTest", found.json()));
        ObjectNode states = json.putObject("states");
        states().forEach(states::put);
        ArrayNode failed = json.putArray(FAILED);
        ArrayNode all = json.putArray("jobs");
        for (JobRun job : jobs) {
            if (job.hasFailed()) {
                failed.add(job.submission().instance());
            }
            all.add(json(job));
        }
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n"));
        printer.indentArraysWith(new DefaultIndenter("  ", "\n"));
        try {
            return JSON.writer(printer).writeValueAsString(json) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree cannot be written", e);
        }
    }

    Map<String, Integer> states() {
        Map<String, Integer> states = new LinkedHashMap<>();
        for (JobRun.State state : JobRun.State.values()) {
            int count = (int) jobs.stream().filter(job -> job.state() == state).count();
            if (count > 0) {
                states.put(state.name(), count);
            }
        }
        return states;
    }

    private static ObjectNode json(JobRun job) {
        ObjectNode json = JSON.createObjectNode()
                .put("instance", job.submission().instance())
                .put("workload", job.submission().job().workload())
                .put("framework", job.submission().job().framework().label())
                .put("state", job.state().name())
                .put("dueSeconds", job.submission().at().toMillis() / MILLIS);
        job.submitted().ifPresent(millis -> json.put("dispatchedMillis", millis));
        submitted(job).ifPresent(millis -> json.put("submitMillis", millis));
        started(job).ifPresent(millis -> json.put("startMillis", millis));
        ended(job).ifPresent(millis -> json.put("endMillis", millis));
        turnaroundSeconds(job).ifPresent(seconds -> json.put("turnaroundSeconds", seconds));
        json.put("containers", job.containers())
                .put("vcoreSeconds", sum(job, Application::vcoreSeconds))
                .put("memoryMbSeconds", sum(job, Application::memoryMbSeconds));
        ArrayNode nodes = json.putArray("nodes");
        job.nodes().forEach(nodes::add);
        ArrayNode applications = json.putArray("applications");
        job.applications().forEach(application -> applications.add(application.id()));
        job.diagnostics().ifPresent(text -> json.put("diagnostics", text));
        return json;
    }

    /** Returns a line for each job. */
    String tsv() {
        StringBuilder text = new StringBuilder(
                "instance\tworkload\tframework\tstate\tsubmit_ms\tstart_ms\tend_ms\tturnaround_s\tcontainers\tnodes"
                        + "\tvcore_s\tmemory_mb_s\tapplications\n");
        for (JobRun job : jobs) {
            StringJoiner line = new StringJoiner("\t", "", "\n");
            line.add(Integer.toString(job.submission().instance()))
                    .add(job.submission().job().workload())
                    .add(job.submission().job().framework().label())
                    .add(job.state().name())
                    .add(shown(submitted(job)))
                    .add(shown(started(job)))
                    .add(shown(ended(job)))
                    .add(
                            turnaroundSeconds(job).isPresent()
                                    ? "%.3f".formatted(turnaroundSeconds(job).getAsDouble())
                                    : "-")
                    .add(Integer.toString(job.containers()))
                    .add(job.nodes().isEmpty() ? "-" : String.join(",", job.nodes()))
                    .add(Long.toString(sum(job, Application::vcoreSeconds)))
                    .add(Long.toString(sum(job, Application::memoryMbSeconds)))
                    .add(
                            job.applications().isEmpty()
                                    ? "-"
                                    : String.join(
                                            ",",
                                            job.applications().stream()
                                                    .map(Application::id)
                                                    .toList()));
            text.append(line);
        }
        return text.toString();
    }

    private static String shown(OptionalLong millis) {
        return millis.isPresent() ? Long.toString(millis.getAsLong()) : "-";
    }

    /** Returns the whole in a few words. */
    String summary() {
        StringJoiner words = new StringJoiner(", ");
        states().forEach((state, count) -> words.add(count + " " + state));
        makespanSeconds().ifPresent(seconds -> words.add("makespan %.1f s".formatted(seconds)));
        meanTurnaroundSeconds().ifPresent(seconds -> words.add("mean turnaround %.1f s".formatted(seconds)));
        density().ifPresent(share -> words.add("density %.2f".formatted(share)));
        load.ifPresent(found -> words.add(found.summary()));
        return words.toString();
    }
}
