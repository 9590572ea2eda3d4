package org.interference.yarn.sim.workload.trace;

import java.util.List;
import org.interference.yarn.sim.workload.RunLengthList;

/**
 * A job as its file has it. Immutable.
 *
 * @param submitted ms since some moment, the same one for all jobs of a trace
 * @param tasks that succeeded; may be empty
 */
record TracedJob(String name, String queue, long submitted, List<TracedTask> tasks) {
    TracedJob {
        tasks = RunLengthList.copyOf(tasks);
    }
}
