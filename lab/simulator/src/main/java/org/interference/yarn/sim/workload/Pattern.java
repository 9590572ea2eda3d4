package org.interference.yarn.sim.workload;

import java.util.List;
import java.util.random.RandomGenerator;

/** When which jobs arrive. Pure: the same seed gives the same jobs. */
public interface Pattern {
    String name();

    /**
     * Returns the jobs, in the order of their submission.
     *
     * @param slots how many tasks the cluster runs at once
     */
    List<SimJob> jobs(RandomGenerator random, int slots);
}
