package org.interference.yarn.sim.workload.trace;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.interference.yarn.sim.workload.RunLengthList;
import org.interference.yarn.sim.workload.SimJob;

/**
 * What a file holds that can be simulated. Immutable.
 *
 * @param jobs in the order of their submission, the first at 0; at least one
 * @param leftOut jobs without a task that succeeded, of which a trace does not say how long they would have run
 * @param unreadable of a folder, what is wrong with each file that could not be used
 */
public record Trace(List<SimJob> jobs, int leftOut, List<String> unreadable) {
    public Trace {
        jobs = List.copyOf(jobs);
        unreadable = List.copyOf(unreadable);
    }

    public long tasks() {
        return jobs.stream().mapToLong(job -> job.tasks().size()).sum();
    }

    /** Returns the names of its tasks' kinds, sorted. */
    public SortedSet<String> kinds() {
        SortedSet<String> kinds = new TreeSet<>();
        jobs.forEach(job -> RunLengthList.values(job.tasks())
                .forEach(task -> kinds.add(task.kind().name())));
        return kinds;
    }
}
