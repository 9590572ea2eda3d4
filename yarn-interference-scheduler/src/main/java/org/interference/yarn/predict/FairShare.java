package org.interference.yarn.predict;

import org.interference.yarn.signal.Signal;

/**
 * What a task loses where a node divides a resource among those who want it: it gets its max-min fair share (Bertsekas and Gallager, Data
 * Networks, 1992, 6.5.2), which is what others leave, or as much as each would get of equal parts. Pure.
 */
final class FairShare {
    /**
     * What the kernel divides so: levels of both are shares of what the node has. A level of a disk is time for which requests are in flight, and several
     * tasks' can be more than all there is.
     */
    private static final int[] DIVIDED = {Situation.place(Signal.CPU), Situation.place(Signal.NETP)};

    private FairShare() {}

    /** Returns the logarithm of the slowdown by the scarcest of these resources, {@code >= 0}. */
    static double logSlowdown(Situation situation) {
        double[] figures = situation.array();
        double most = 0;
        for (int place : DIVIDED) {
            double beside = figures[Situation.OWN + place];
            // Also false if the task has no level.
            if (beside > 0 && figures[place] > 0) {
                most = Math.max(most, logSlowdown(figures[place], beside, figures[Situation.COUNT], 1));
            }
        }
        return most;
    }

    /**
     * Returns the logarithm of the slowdown by one resource, {@code >= 0}.
     *
     * @param own what the task wants of it, {@code > 0}
     * @param beside what its neighbours want together
     * @param neighbours how many they are
     * @param capacity what there is of it; 0 where nobody knows
     */
    static double logSlowdown(double own, double beside, double neighbours, double capacity) {
        if (capacity == 0) {
            return 0;
        }
        double share = Math.max(capacity - beside, capacity / (neighbours + 1));
        double wanted = Math.min(own, capacity);
        return wanted <= share ? 0 : Math.log(wanted / share);
    }
}
