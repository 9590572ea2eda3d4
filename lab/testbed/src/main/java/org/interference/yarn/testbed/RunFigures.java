package org.interference.yarn.testbed;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.interference.yarn.lab.stats.JobTimes;
import org.interference.yarn.lab.stats.Quantiles;

/**
 * One run in numbers. Times in seconds.
 *
 * @param makespan {@link JobTimes#makespan}, 0 if no job ended
 * @param turnaround of a job, {@link JobTimes#turnaround}; mean
 * @param slowdownP95 of a container of fixed work, against the median of its kind alone; the 95th percentile
 * @param density {@link JobTimes#density} of slots, in [0, 1]
 * @param failed jobs that did not succeed
 * @param starved jobs that waited more than {@link JobTimes#STARVED_SECONDS} for their first container, or had none
 */
record RunFigures(
        double makespan, double turnaround, double slowdownP95, double density, double failed, double starved) {
    private static final double PERCENT = 95;

    /**
     * Returns the figures of {@code run}; jobs that have not ended are in none but the last two.
     *
     * @param alone seconds by kind
     */
    static RunFigures of(RunResult run, Map<String, Double> alone) {
        List<JobResult> jobs = run.jobs();
        List<JobTimes> times = jobs.stream().map(JobResult::times).toList();
        double[] turnarounds = JobTimes.turnarounds(times);
        double makespan = turnarounds.length == 0 ? 0 : JobTimes.makespan(times);
        double[] slowdowns = run.containers().stream()
                .filter(container -> alone.containsKey(container.kind()))
                .mapToDouble(container -> container.seconds() / alone.get(container.kind()))
                .toArray();
        double slotSeconds = jobs.stream().mapToDouble(JobResult::slotSeconds).sum();
        return new RunFigures(
                makespan,
                Arrays.stream(turnarounds).average().orElse(0),
                slowdowns.length == 0 ? 1 : Quantiles.percentile(slowdowns, PERCENT),
                makespan > 0 ? JobTimes.density(slotSeconds, run.slots(), makespan) : 0,
                jobs.stream().filter(job -> !job.succeeded()).count(),
                times.stream().filter(JobTimes::isStarved).count());
    }
}
