package org.interference.yarn.advice;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.interference.yarn.profile.Footprint;

/**
 * How much memory to give the tasks of a kind at first, where one that needs more is run again with the full size.
 *
 * <p>The rules are those of Tovar, da Silva, Juve, Deelman, Allcock, Thain and Livny, "A job sizing strategy for high-throughput scientific
 * workflows" (IEEE Transactions on Parallel and Distributed Systems 29(2), 2018), which the resource monitor's modes {@code MIN_WASTE} and
 * {@code MAX_THROUGHPUT} apply. With {@code a} the first allocation, {@code A} the full size, {@code t} run times, and
 * {@code X} peaks of tasks, one of {@code a} is chosen at which a peak was seen, or {@code A}:
 *
 * <ul>
 *   <li>minimum waste (equation 1): the least {@code a E[t] + A E[t; X > a]};
 *   <li>maximum throughput (equation 3): the most {@code (A/a P(X <= a) + P(X > a)) / (E[t] + E[t; X > a])}.
 * </ul>
 */
final class FirstAllocation {
    private final Footprint footprint;
    private final double full;
    private final DoubleUnaryOperator size;

    /**
     * @param full with what a task is run again that has exhausted its first allocation, in bytes
     * @param size the least container that has so many bytes
     */
    FirstAllocation(Footprint footprint, double full, DoubleUnaryOperator size) {
        this.footprint = footprint;
        this.full = size.applyAsDouble(full);
        this.size = size;
    }

    /** Returns the allocation in bytes at which least memory is given and not used, over time. */
    double minimumWaste() {
        double time = footprint.secondsAbove(0);
        return best(allocation -> -(allocation * time + full * footprint.secondsAbove(allocation)));
    }

    /** Returns the allocation in bytes at which a node finishes most tasks in a time. */
    double maximumThroughput() {
        double time = footprint.secondsAbove(0);
        return best(allocation -> {
            double above = (double) footprint.above(allocation) / footprint.remembered();
            return (full / allocation * (1 - above) + above) / (time + footprint.secondsAbove(allocation));
        });
    }

    /** Of equally good ones, the largest. */
    private double best(DoubleUnaryOperator worth) {
        double best = full;
        double most = worth.applyAsDouble(full);
        for (double allocation : seen()) {
            double here = worth.applyAsDouble(allocation);
            if (here > most) {
                most = here;
                best = allocation;
            }
        }
        return best;
    }

    /** Returns the containers in which some of the tasks would have fitted, the largest first. */
    private List<Double> seen() {
        List<Double> seen = new ArrayList<>();
        for (int i = footprint.peaks().size() - 1; i >= 0; i--) {
            double allocation = size.applyAsDouble(footprint.peaks().get(i).bytes());
            if (allocation < full) {
                seen.add(allocation);
            }
        }
        return seen;
    }
}
