package org.interference.yarn.testbed;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * One run in numbers. Times in seconds.
 *
 * @param makespan from the first submission to the last job's end
 * @param turnaround of a job, from its submission to its end; mean
 * @param slowdownP95 of a container of fixed work, against the median of its kind alone; the 95th percentile, by nearest rank
 * @param density slots that containers had, mean over the makespan, in [0, 1]
 * @param failed jobs that did not succeed
 * @param starved jobs that waited more than {@link #STARVED_SECONDS} for their first container, or had none
 */
record RunFigures(
        double makespan, double turnaround, double slowdownP95, double density, double failed, double starved) {
    /** As in the simulator's report. */
    static final double STARVED_SECONDS = 300;

    private static final double PERCENTILE = 0.95;

    /**
     * Returns the figures of {@code run}; jobs that have not ended are in none but the last two.
     *
     * @param alone seconds by kind
     */
    static RunFigures of(RunResult run, Map<String, Double> alone) {
        List<JobResult> jobs = run.jobs();
        double makespan = makespan(run);
        double[] slowdowns = run.containers().stream()
                .filter(container -> alone.containsKey(container.kind()))
                .mapToDouble(container -> container.seconds() / alone.get(container.kind()))
                .sorted()
                .toArray();
        return new RunFigures(
                makespan,
                jobs.stream()
                        .filter(job -> job.ended().isPresent())
                        .mapToDouble(job -> job.ended().getAsDouble() - job.submitted())
                        .average()
                        .orElse(0),
                percentile(slowdowns),
                makespan > 0 ? jobs.stream().mapToDouble(JobResult::slotSeconds).sum() / (makespan * run.slots()) : 0,
                jobs.stream().filter(job -> !job.succeeded()).count(),
                jobs.stream().filter(RunFigures::starved).count());
    }

    /** From the first submission to the last end of a job that ended; seconds. */
    static double makespan(RunResult run) {
        double first = run.jobs().stream()
                .mapToDouble(JobResult::submitted)
                .filter(moment -> moment > 0)
                .min()
                .orElse(0);
        return run.jobs().stream()
                        .flatMapToDouble(job -> job.ended().stream())
                        .max()
                        .orElse(first)
                - first;
    }

    /** Returns the middle of {@code values}, of which there is at least one. */
    static double median(double[] values) {
        double[] ascending = values.clone();
        Arrays.sort(ascending);
        int middle = ascending.length / 2;
        return ascending.length % 2 == 1 ? ascending[middle] : (ascending[middle - 1] + ascending[middle]) / 2;
    }

    private static boolean starved(JobResult job) {
        return job.started().isEmpty() || job.started().getAsDouble() - job.submitted() > STARVED_SECONDS;
    }

    private static double percentile(double[] ascending) {
        int rank = (int) Math.ceil(PERCENTILE * ascending.length);
        return ascending.length == 0 ? 1 : ascending[rank - 1];
    }
}
