package org.interference.yarn.sim.workload.trace;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.workload.SimTask;

/**
 * How a trace is fitted to another cluster. Immutable.
 *
 * @param tasks of each job, as a multiple of those in the trace, positive; a job keeps at least one. Below 1, evenly spaced ones
 *     are kept; above 1, they are repeated.
 * @param speed by which time between submissions is divided, positive; run times stay
 */
public record TraceScale(double tasks, double speed) {
    public static final TraceScale NONE = new TraceScale(1, 1);

    public TraceScale {
        requirePositive("tasks", tasks);
        requirePositive("speed", speed);
    }

    SimJob apply(SimJob job, Duration origin) {
        return new SimJob(job.name(), job.queue(), faster(job.submitted().minus(origin)), scaled(job.tasks()));
    }

    /**
     * Returns which part of {@code slots} the scaled {@code jobs} would keep busy without interference while they are submitted;
     * above 1 they queue up. Infinite if all are submitted at once.
     */
    public static double load(List<SimJob> jobs, TraceScale scale, int slots) {
        double work = jobs.stream()
                .flatMap(job -> scale.scaled(job.tasks()).stream())
                .mapToDouble(task -> task.solo().toMillis() / 1000.0)
                .sum();
        Duration first = jobs.get(0).submitted();
        double span =
                scale.faster(jobs.get(jobs.size() - 1).submitted().minus(first)).toMillis() / 1000.0;
        return work / (span * slots);
    }

    private Duration faster(Duration sinceOrigin) {
        return Duration.ofMillis(Math.round(sinceOrigin.toMillis() / speed));
    }

    /** Returns how many tasks of a job with {@code all} are replayed. */
    long count(List<SimTask> all) {
        return Math.max(1, Math.round(all.size() * tasks));
    }

    private List<SimTask> scaled(List<SimTask> all) {
        int count = Math.toIntExact(count(all));
        return IntStream.range(0, count)
                .mapToObj(i -> all.get((int) ((long) i * all.size() / count)))
                .toList();
    }

    private static void requirePositive(String what, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("scale of %s must be positive, got %s".formatted(what, value));
        }
    }
}
