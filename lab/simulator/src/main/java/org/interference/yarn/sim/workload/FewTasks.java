package org.interference.yarn.sim.workload;

import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * Seven jobs of one task each, all at once and as long as a median task, however large the cluster is: few enough to find out what is
 * possible, and no long one decides alone when all are done.
 */
record FewTasks(List<SimTaskKind> kinds) implements Pattern {
    private static final int JOBS = 7;
    private static final Duration LENGTH = Duration.ofSeconds(16);

    @Override
    public String name() {
        return "few";
    }

    @Override
    public List<SimJob> jobs(RandomGenerator random, int slots) {
        return IntStream.range(0, JOBS)
                .mapToObj(i -> Applications.job(random, kinds, Duration.ZERO, 1))
                .map(job -> new SimJob(
                        job.name(),
                        job.queue(),
                        job.submitted(),
                        List.of(new SimTask(job.tasks().get(0).kind(), LENGTH))))
                .toList();
    }
}
