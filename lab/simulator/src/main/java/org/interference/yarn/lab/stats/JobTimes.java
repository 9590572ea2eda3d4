package org.interference.yarn.lab.stats;

import java.util.Collection;

/**
 * When a job came and went, and what follows for all jobs of a run. Immutable; times in seconds since a moment that is the same for the
 * whole run, each NaN if it never came.
 *
 * @param submitted when the ResourceManager took it in
 * @param started when its first container began
 * @param finished when it ended, whether or not it succeeded
 */
public record JobTimes(double submitted, double started, double finished) {
    /** Longer than any job of the simulator's patterns takes on an idle cluster, five times over; the test bed's are shorter. */
    public static final double STARVED_SECONDS = 300;

    /** Returns {@code finished - submitted} in seconds, NaN while it has not finished. */
    public double turnaround() {
        return finished - submitted;
    }

    /** Returns {@code started - submitted} in seconds, NaN while it has not started. */
    public double waited() {
        return started - submitted;
    }

    /** Whether it waited more than {@link #STARVED_SECONDS} for its first container, or never had one. */
    public boolean isStarved() {
        return !(waited() <= STARVED_SECONDS);
    }

    /**
     * Returns {@code max(finished) - min(submitted)} in seconds: from the first submission of all jobs to the last end of those that
     * ended.
     *
     * @throws IllegalArgumentException if none ended
     */
    public static double makespan(Collection<JobTimes> jobs) {
        double last = jobs.stream()
                .mapToDouble(JobTimes::finished)
                .filter(time -> !Double.isNaN(time))
                .max()
                .orElseThrow(() -> new IllegalArgumentException("no job ended"));
        double first = jobs.stream()
                .mapToDouble(JobTimes::submitted)
                .filter(time -> !Double.isNaN(time))
                .min()
                .orElseThrow(() -> new IllegalArgumentException("no job was submitted"));
        return last - first;
    }

    /** Returns each {@link #turnaround} of those that ended, ascending. */
    public static double[] turnarounds(Collection<JobTimes> jobs) {
        return jobs.stream()
                .mapToDouble(JobTimes::turnaround)
                .filter(time -> !Double.isNaN(time))
                .sorted()
                .toArray();
    }

    /**
     * Returns {@code used / (capacity * makespan)}: what the jobs had of a resource, of what there was of it during the makespan; in
     * [0, 1] if nothing was used outside of it.
     *
     * @param used unit-seconds of the resource, as slot-seconds
     * @param capacity units that the whole cluster has of it
     * @param makespan seconds
     * @throws IllegalArgumentException if the makespan or the capacity is not above 0
     */
    public static double density(double used, double capacity, double makespan) {
        if (!(capacity * makespan > 0)) {
            throw new IllegalArgumentException("%f units during %f s are nothing".formatted(capacity, makespan));
        }
        return used / (capacity * makespan);
    }
}
