package org.interference.yarn.sim.world;

import java.util.Set;
import java.util.TreeSet;

/**
 * Where tasks have their input, and what it costs to read it from elsewhere. Immutable.
 *
 * @param remoteCost by what share of its time alone a task takes longer on a node that has no copy of its input; 0: nobody has any
 */
public record DataLocality(double remoteCost) {
    /** Tasks have no input, or it is as near everywhere. */
    public static final DataLocality NONE = new DataLocality(0);

    /** As HDFS keeps them by default. */
    private static final int COPIES = 3;

    /** Whether it matters where a task runs. */
    public boolean matters() {
        return remoteCost > 0;
    }

    /**
     * Returns the nodes that have a copy of a task's input, drawn for that task alone, all of {@code nodes} as likely.
     *
     * @param job which it is of, in the order of their submission
     * @param task its number in the job
     */
    public Set<Integer> copies(long seed, int job, int task, int nodes) {
        Set<Integer> copies = new TreeSet<>();
        for (long draw = 0; matters() && copies.size() < Math.min(COPIES, nodes); draw++) {
            copies.add((int) (Seeds.uniform(Seeds.of(seed, job, task, draw)) * nodes));
        }
        return copies;
    }
}
