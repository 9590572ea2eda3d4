package org.interference.yarn.sim.workload.trace;

import java.util.List;
import org.interference.yarn.sim.workload.SimJob;

/**
 * What a file holds that can be simulated. Immutable.
 *
 * @param jobs in the order of their submission, the first at 0; at least one
 * @param leftOut jobs without a task that succeeded, of which a trace does not say how long they would have run
 */
public record Trace(List<SimJob> jobs, int leftOut) {
    public Trace {
        jobs = List.copyOf(jobs);
    }

    public long tasks() {
        return jobs.stream().mapToLong(job -> job.tasks().size()).sum();
    }
}
