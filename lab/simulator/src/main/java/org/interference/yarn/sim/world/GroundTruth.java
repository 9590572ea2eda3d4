package org.interference.yarn.sim.world;

import java.util.List;
import java.util.Set;
import org.interference.yarn.sim.workload.SharedResource;

/**
 * How much tasks that share a node slow each other down. Pure.
 *
 * <p>A task alone has slowdown 1, and one more neighbour never makes anybody faster. No form of it is a product of factors by
 * class, which is what the scheduler's prior is.
 */
public interface GroundTruth {
    /** Returns the slowdown of each task, {@code >= 1}, in the order of {@code together}. */
    double[] slowdowns(List<Load> together);

    /**
     * Returns the slowdown of each task as if {@code resources} were all that they share, {@code >= 1}, in the order of {@code together}: by what it waits,
     * which counters tell apart. A truth that cannot tell resources apart returns {@link #slowdowns(List)}.
     */
    default double[] slowdowns(List<Load> together, Set<SharedResource> resources) {
        return slowdowns(together.stream()
                .map(load -> new Load(load.application(), load.kind().only(resources), load.progress()))
                .toList());
    }

    /** Returns the progress at which a task's demand changes, ascending, each in (0, 1). */
    default List<Double> phaseEnds() {
        return List.of();
    }

    /** Returns what a task presses on {@code resource} at its present progress, as a fraction of the node. */
    default double demand(Load load, SharedResource resource) {
        return load.kind().demand(resource);
    }
}
