package org.interference.yarn.sim.report;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.interference.yarn.lab.stats.JobTimes;
import org.interference.yarn.lab.stats.Quantiles;
import org.interference.yarn.sim.engine.RunOutcome;

/**
 * One run in numbers. Immutable; times in seconds.
 *
 * @param makespan {@link JobTimes#makespan}; a job ends with its last task
 * @param turnaroundMean of a job, {@link JobTimes#turnaround}
 * @param turnaroundP95 the 95th percentile of the same
 * @param slowdownMean of a task: its run time over its run time alone
 * @param slowdownP95 the 95th percentile of the same
 * @param density {@link JobTimes#density} of slots, in [0, 1]
 * @param fairness Jain's index of the queues' mean stretch (turnaround over the longest task alone), in (0, 1]
 * @param maxWait the longest that a job waited for its first container
 * @param starved jobs that waited more than {@link JobTimes#STARVED_SECONDS} for their first container
 * @param failed jobs that had not finished when the simulation gave up
 * @param taskSeconds run time of all tasks together
 * @param saving run time that a policy in shadow says it would have saved; 0 of any other
 * @param savingHalfWidth of its 95 % interval
 */
public record RunMetrics(
        double makespan,
        double turnaroundMean,
        double turnaroundP95,
        double slowdownMean,
        double slowdownP95,
        double density,
        double fairness,
        double maxWait,
        double starved,
        double failed,
        double taskSeconds,
        double saving,
        double savingHalfWidth) {
    private static final double PERCENT = 95;
    private static final int FIGURES = RunMetrics.class.getRecordComponents().length;

    /** Returns the metrics of {@code outcome}; what did not finish is counted as failed and left out of the rest. */
    public static RunMetrics of(RunOutcome outcome) {
        List<RunOutcome.JobOutcome> jobs = outcome.jobs();
        List<JobTimes> times = jobs.stream().map(RunOutcome.JobOutcome::times).toList();
        List<RunOutcome.JobOutcome> done =
                jobs.stream().filter(job -> !Double.isNaN(job.finished())).toList();
        double[] turnarounds = JobTimes.turnarounds(times);
        double[] slowdowns = jobs.stream()
                .flatMap(job -> job.tasks().stream())
                .mapToDouble(RunOutcome.TaskOutcome::slowdown)
                .sorted()
                .toArray();
        double makespan = done.isEmpty() ? 0 : JobTimes.makespan(times);
        return new RunMetrics(
                makespan,
                Arrays.stream(turnarounds).average().orElse(0),
                done.isEmpty() ? 0 : Quantiles.percentile(turnarounds, PERCENT),
                Arrays.stream(slowdowns).average().orElse(1),
                slowdowns.length == 0 ? 1 : Quantiles.percentile(slowdowns, PERCENT),
                makespan > 0 ? JobTimes.density(outcome.busySlotSeconds(), outcome.slots(), makespan) : 0,
                fairness(done),
                times.stream()
                        .mapToDouble(JobTimes::waited)
                        .filter(waited -> !Double.isNaN(waited))
                        .max()
                        .orElse(0),
                times.stream().filter(JobTimes::isStarved).count(),
                jobs.size() - done.size(),
                jobs.stream()
                        .flatMap(job -> job.tasks().stream())
                        .mapToDouble(task -> task.finished() - task.started())
                        .sum(),
                outcome.told().map(RunOutcome.Saving::seconds).orElse(0.0),
                outcome.told().map(RunOutcome.Saving::halfWidth).orElse(0.0));
    }

    /** Returns the numbers in the order of the record. */
    double[] values() {
        return new double[] {
            makespan,
            turnaroundMean,
            turnaroundP95,
            slowdownMean,
            slowdownP95,
            density,
            fairness,
            maxWait,
            starved,
            failed,
            taskSeconds,
            saving,
            savingHalfWidth
        };
    }

    /** @throws IllegalArgumentException if there are not as many as the record has */
    static RunMetrics of(double[] values) {
        if (values.length != FIGURES) {
            throw new IllegalArgumentException("a run has %d figures, got %d: another version's; --fresh forgets them"
                    .formatted(FIGURES, values.length));
        }
        return new RunMetrics(
                values[0],
                values[1],
                values[2],
                values[3],
                values[4],
                values[5],
                values[6],
                values[7],
                values[8],
                values[9],
                values[10],
                values[11],
                values[12]);
    }

    private static double fairness(List<RunOutcome.JobOutcome> done) {
        Map<String, double[]> byQueue = new LinkedHashMap<>();
        for (RunOutcome.JobOutcome job : done) {
            double alone = job.tasks().stream()
                    .mapToDouble(RunOutcome.TaskOutcome::work)
                    .max()
                    .orElse(1);
            double[] sumAndCount = byQueue.computeIfAbsent(job.queue(), queue -> new double[2]);
            sumAndCount[0] += job.times().turnaround() / alone;
            sumAndCount[1]++;
        }
        double sum = 0;
        double squares = 0;
        for (double[] queue : byQueue.values()) {
            double mean = queue[0] / queue[1];
            sum += mean;
            squares += mean * mean;
        }
        return squares == 0 ? 1 : sum * sum / (byQueue.size() * squares);
    }
}
