package org.interference.yarn.sim.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The published dispatch as we read it, "moving jobs every 5 seconds on the 10-in-10 order (no job completion waiting)" (Xavier 2019, 5.4): ten at once every five seconds.
 * How many jobs, of which sizes, on how many slots is not published: here 60 on 32. On smaller clusters there are
 * fewer jobs, and on larger ones the same number, of more tasks each.
 */
record PublishedDispatch(List<SimTaskKind> kinds) implements Pattern {
    private static final Duration GAP = Duration.ofSeconds(5);
    private static final int BATCHES = 6;
    private static final int BATCH_JOBS = 10;
    private static final int SLOTS = 32;

    @Override
    public String name() {
        return "dispatch";
    }

    @Override
    public List<SimJob> jobs(RandomGenerator random, int slots) {
        int batch = Math.max(1, Math.min(BATCH_JOBS, Math.round(BATCH_JOBS * slots / (float) SLOTS)));
        int times = Math.max(1, Math.round(slots / (float) SLOTS));
        List<SimJob> jobs = new ArrayList<>();
        for (int i = 0; i < BATCHES * batch; i++) {
            jobs.add(Applications.job(random, kinds, GAP.multipliedBy(i / batch), times));
        }
        return List.copyOf(jobs);
    }
}
