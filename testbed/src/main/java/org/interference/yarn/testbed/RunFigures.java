package org.interference.yarn.testbed;

/** A run in numbers. */
final class RunFigures {
    private RunFigures() {}

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
}
