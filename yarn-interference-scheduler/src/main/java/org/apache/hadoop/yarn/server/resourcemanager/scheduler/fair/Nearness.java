package org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair;

import java.util.Comparator;

/**
 * Who is almost as needy as those that wait beside it and are needier, as one queue's policy compares: whom it would serve before each
 * of them if that had got some containers more. They are asked in the policy's order.
 */
final class Nearness {
    private final Comparator<Schedulable> neediest;
    /** The neediest of those that wait, if each had got the containers; null while nobody waits. */
    private FurtherAhead bound;

    Nearness(SchedulingPolicy policy) {
        this.neediest = policy.getComparator();
    }

    boolean holds(Schedulable next) {
        return bound == null || neediest.compare(next, bound) <= 0;
    }

    /** @param further one that waits, if it had got the containers */
    void waits(FurtherAhead further) {
        if (bound == null || neediest.compare(further, bound) < 0) {
            bound = further;
        }
    }
}
