package org.interference.yarn.sim.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Draws jobs of some kinds: each kind is an application, and each job runs some tasks of one. */
final class Applications {
    static final List<String> QUEUES = List.of("a", "b", "c");

    private static final int MOST_TASKS = 9;
    private static final double MEDIAN_SECONDS = 16;
    private static final double SPREAD = 0.5;
    private static final double SHORTEST_SECONDS = 3;
    private static final double LONGEST_SECONDS = 60;

    /** Mean tasks of a job, and mean seconds of a task alone; what a pattern plans its load with. */
    static final double MEAN_TASKS = (1 + MOST_TASKS) / 2.0;

    static final double MEAN_SECONDS = MEDIAN_SECONDS * Math.exp(SPREAD * SPREAD / 2);

    private Applications() {}

    /** Returns a job of one of {@code kinds}, drawn at random: {@code times} 1 to 9 tasks of about equal length. */
    static SimJob job(RandomGenerator random, List<SimTaskKind> kinds, Duration submitted, int times) {
        SimTaskKind kind = kinds.get(random.nextInt(kinds.size()));
        String queue = QUEUES.get(random.nextInt(QUEUES.size()));
        int count = times * (1 + random.nextInt(MOST_TASKS));
        double seconds = MEDIAN_SECONDS * StrictMath.exp(SPREAD * random.nextGaussian());
        double bounded = Math.min(LONGEST_SECONDS, Math.max(SHORTEST_SECONDS, seconds));
        Duration solo = Duration.ofMillis(Math.round(bounded * 1000));
        List<SimTask> tasks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            tasks.add(new SimTask(kind, solo));
        }
        return new SimJob(kind.name(), queue, submitted, tasks);
    }
}
