package org.interference.yarn.sim.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Jobs that arrive independently, the last ones at another rate than the first ones if loads differ.
 *
 * @param first share of the slots that would be in use without interference, at the rate of the first jobs
 * @param last the same of the last jobs; between them it changes by the same with each job
 */
record PoissonArrivals(String name, double first, double last, List<SimTaskKind> kinds) implements Pattern {
    private static final double JOBS_PER_SLOT = 60 / 32.0;

    /** Arrivals at one rate. */
    PoissonArrivals(String name, double load, List<SimTaskKind> kinds) {
        this(name, load, load, kinds);
    }

    @Override
    public List<SimJob> jobs(RandomGenerator random, int slots) {
        int count = (int) Math.max(1, Math.round(JOBS_PER_SLOT * slots));
        List<SimJob> jobs = new ArrayList<>();
        double at = 0;
        for (int i = 0; i < count; i++) {
            jobs.add(Applications.job(random, kinds, Duration.ofMillis(Math.round(at * 1000)), 1));
            double load = first + (last - first) * i / Math.max(1, count - 1);
            double gapSeconds = Applications.MEAN_TASKS * Applications.MEAN_SECONDS / (load * slots);
            at -= gapSeconds * StrictMath.log(1 - random.nextDouble());
        }
        return List.copyOf(jobs);
    }
}
