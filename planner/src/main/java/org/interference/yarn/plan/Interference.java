package org.interference.yarn.plan;

import java.util.List;

/**
 * How much tiers that share a machine slow each other down. An implementation depends on its arguments alone and may be called by
 * several threads.
 *
 * <p>{@code together} holds every instance on one machine, occupants too, in no particular order, one element for each instance; it may
 * be a view that is only valid during the call. Solvers call {@link #factor} millions of times: what is expensive must be remembered by
 * the implementation, for instance by the set of names.
 */
public interface Interference {
    /** Returns the factor by which a machine with these is worse than one whose tiers do not meet; finite, at least 1. */
    double factor(List<Tier> together);

    /** Returns the predicted slowdown of the one at {@code index} beside the others; finite, at least 1. */
    double slowdown(List<Tier> together, int index);

    /** Returns what {@link #factor} is the product of; factors of 1 may be left out. */
    List<Term> terms(List<Tier> together);

    /**
     * Returns whether {@link #factor} never falls when an instance is added. Exact search is then able to leave out more; wrong plans
     * may come of it if it is not true.
     */
    default boolean growsWithCompany() {
        return false;
    }
}
