package org.interference.yarn.sim.workload;

import java.time.Duration;
import java.util.List;

/**
 * One application. Immutable.
 *
 * @param name under which its tasks are profiled: every job of one name is a run of the same application
 * @param submitted since the beginning of the simulation
 * @param tasks all of which may run at once
 */
public record SimJob(String name, String queue, Duration submitted, List<SimTask> tasks) {
    public SimJob {
        tasks = RunLengthList.copyOf(tasks);
        if (submitted.isNegative() || tasks.isEmpty()) {
            throw new IllegalArgumentException("a job is submitted at or after 0 and has a task, got %s and %d tasks"
                    .formatted(submitted, tasks.size()));
        }
    }
}
