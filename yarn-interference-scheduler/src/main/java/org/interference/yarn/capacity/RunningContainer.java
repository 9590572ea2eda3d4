package org.interference.yarn.capacity;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One container that the scheduler has on a node, whether or not it was measured yet. Immutable.
 *
 * @param container its id
 * @param requested what it asked for
 * @param usedMb memory that it uses by the newest report; empty if it is not told
 * @param memory what is known of its kind; empty if nothing is
 * @param admittedByGrowth whether it is there only because the node was grown ({@link Size#holdsOnlyGrown}): it alone may have to go
 * @param master whether it is an ApplicationMaster: it never goes
 * @param sensitivity how many times its slowdown counts, above 0; 1 of most
 * @param started when it was placed there
 * @param opportunistic whether YARN counts it as nothing of the node, and lets it go for whoever is counted
 */
public record RunningContainer(
        String container,
        Size requested,
        OptionalDouble usedMb,
        Optional<KindMemory> memory,
        boolean admittedByGrowth,
        boolean master,
        double sensitivity,
        Instant started,
        boolean opportunistic) {
    /** A guaranteed one. */
    public RunningContainer(
            String container,
            Size requested,
            OptionalDouble usedMb,
            Optional<KindMemory> memory,
            boolean admittedByGrowth,
            boolean master,
            double sensitivity,
            Instant started) {
        this(container, requested, usedMb, memory, admittedByGrowth, master, sensitivity, started, false);
    }
}
