package org.interference.yarn.sim.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The published dispatch on a larger cluster, with more jobs as well as larger ones: both grow with the root of the slots, so that
 * the work for each slot stays. On 32 slots it is the published dispatch.
 */
record ManyJobs(List<SimTaskKind> kinds) implements Pattern {
    private static final Duration GAP = Duration.ofSeconds(5);
    private static final int BATCHES = 6;
    private static final double BATCH_JOBS = 10;
    private static final double SLOTS = 32;

    @Override
    public String name() {
        return "many-jobs";
    }

    @Override
    public List<SimJob> jobs(RandomGenerator random, int slots) {
        int times = (int) Math.max(1, Math.round(Math.sqrt(slots / SLOTS)));
        int batch = (int) Math.max(1, Math.round(BATCH_JOBS * slots / SLOTS / times));
        List<SimJob> jobs = new ArrayList<>();
        for (int i = 0; i < BATCHES * batch; i++) {
            jobs.add(Applications.job(random, kinds, GAP.multipliedBy(i / batch), times));
        }
        return List.copyOf(jobs);
    }
}
