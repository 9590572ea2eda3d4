package org.interference.yarn.sim.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Jobs that arrive independently.
 *
 * @param load share of the slots that would be in use without interference
 */
record PoissonArrivals(String name, double load, List<SimTaskKind> kinds) implements Pattern {
    private static final double JOBS_PER_SLOT = 60 / 32.0;

    @Override
    public List<SimJob> jobs(RandomGenerator random, int slots) {
        double gapSeconds = Applications.MEAN_TASKS * Applications.MEAN_SECONDS / (load * slots);
        int count = (int) Math.max(1, Math.round(JOBS_PER_SLOT * slots));
        List<SimJob> jobs = new ArrayList<>();
        double at = 0;
        for (int i = 0; i < count; i++) {
            jobs.add(Applications.job(random, kinds, Duration.ofMillis(Math.round(at * 1000)), 1));
            at -= gapSeconds * StrictMath.log(1 - random.nextDouble());
        }
        return List.copyOf(jobs);
    }
}
