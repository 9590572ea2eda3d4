package org.interference.yarn.sim.engine;

import java.util.List;
import java.util.Optional;
import org.interference.yarn.lab.stats.JobTimes;

/**
 * What happened in one run. Immutable; times are seconds since the beginning.
 *
 * @param busySlotSeconds that tasks held slots for
 * @param learnt what the policy knew at the end; nothing for one that does not learn
 * @param told what a policy in shadow says that it would have saved; empty of any other
 * @param use what was used and what was lost
 */
public record RunOutcome(
        List<JobOutcome> jobs, int slots, double busySlotSeconds, Knowledge learnt, Optional<Saving> told, Use use) {
    public RunOutcome {
        jobs = List.copyOf(jobs);
    }

    /**
     * What was used of the nodes, and what was lost.
     *
     * @param cpuSeconds of all nodes' CPUs, each node being 1
     * @param lostSeconds run time of tasks that had to begin anew
     * @param killedForMemory how often a node killed a task because it had no memory left
     * @param evicted how often the ResourceManager had a task killed
     */
    public record Use(double cpuSeconds, double lostSeconds, int killedForMemory, int evicted) {
        /** Of what nobody counted. */
        public static final Use NONE = new Use(0, 0, 0, 0);
    }

    /**
     * A saving of run time as the shadow report tells it.
     *
     * @param seconds of all tasks together
     * @param halfWidth of its 95 % interval
     */
    public record Saving(double seconds, double halfWidth) {}

    /**
     * One job.
     *
     * @param firstStart NaN if none of its tasks started
     * @param finished NaN if it had not finished when the simulation gave up
     */
    public record JobOutcome(
            String name, String queue, double submitted, double firstStart, double finished, List<TaskOutcome> tasks) {
        public JobOutcome {
            tasks = List.copyOf(tasks);
        }

        public JobTimes times() {
            return new JobTimes(submitted, firstStart, finished);
        }
    }

    /**
     * One task that finished.
     *
     * @param work seconds that it takes alone
     */
    public record TaskOutcome(String node, double started, double finished, double work) {
        public double slowdown() {
            return (finished - started) / work;
        }
    }
}
