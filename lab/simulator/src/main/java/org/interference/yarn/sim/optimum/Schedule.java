package org.interference.yarn.sim.optimum;

import java.util.List;

/**
 * When tasks run. Immutable.
 *
 * @param times of each task, in the order of the instance
 */
public record Schedule(List<Times> times) {
    public Schedule {
        times = List.copyOf(times);
    }

    /** In seconds since the beginning; nodes are numbered from 0. */
    public record Times(int node, double started, double finished) {}

    /** Returns when the last task ends, in seconds since the beginning. */
    public double makespan() {
        return times.stream().mapToDouble(Times::finished).max().orElse(0);
    }
}
