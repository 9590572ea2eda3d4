package org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair;

import java.util.Comparator;
import org.apache.hadoop.yarn.api.records.Resource;

/**
 * Who is almost as needy as those that wait beside it and are needier, as one queue's policy compares: whom it would serve before each
 * of them if that had got some containers more. They are asked in the policy's order.
 */
final class Nearness {
    private final Comparator<Schedulable> neediest;
    private final int containers;
    /** The neediest of those that wait, if each had got the containers; null while nobody waits. */
    private FurtherAhead bound;

    Nearness(SchedulingPolicy policy, int containers) {
        this.neediest = policy.getComparator();
        this.containers = containers;
    }

    boolean holds(Schedulable next) {
        return bound == null || neediest.compare(next, bound) <= 0;
    }

    /** @param container the size of what it waits for */
    void waits(Schedulable schedulable, Resource container) {
        FurtherAhead further = new FurtherAhead(schedulable, containers, container);
        if (bound == null || neediest.compare(further, bound) < 0) {
            bound = further;
        }
    }
}
