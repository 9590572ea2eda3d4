package org.interference.yarn.predict;

/**
 * What a task loses where a node divides a resource among those who want it: it gets its max-min fair share (Bertsekas and Gallager, Data
 * Networks, 1992, 6.5.2), which is what others leave, or as much as each would get of equal parts. Pure.
 */
final class FairShare {
    /** Where the levels are of what the kernel divides so. */
    private static final int[] DIVIDED =
            Parts.DIVIDED.stream().mapToInt(Situation::place).toArray();

    private FairShare() {}

    /** Returns the logarithm of the slowdown by the scarcest of these resources, {@code >= 0}. */
    static double logSlowdown(Situation situation) {
        double[] figures = situation.array();
        double most = 0;
        for (int i = 0; i < DIVIDED.length; i++) {
            int place = DIVIDED[i];
            double beside = figures[Situation.OWN + place];
            double own = Math.min(1, figures[place]);
            // Also false if the task has no level.
            if (beside > 0 && own > 0 && own + beside > 1) {
                double share = share(figures, i, beside);
                most = own <= share ? most : Math.max(most, Math.log(own / share));
            }
        }
        return most;
    }

    /**
     * Returns the share up to which each gets what it wants: what the neighbours want up to it, and it, are all there is. What they want is taken to grow
     * evenly between the parts that are known, and below the first as if all wanted alike, as they do on nodes with many small tasks.
     */
    private static double share(double[] figures, int resource, double beside) {
        int parts = Situation.PARTS + resource * Parts.AT.length;
        if (figures[parts] + Parts.AT[0] >= 1) {
            return Math.max(1 - figures[parts], 1 / (figures[Situation.COUNT] + 1));
        }
        double from = Parts.AT[0];
        double wanted = figures[parts];
        for (int i = 1; i <= Parts.AT.length; i++) {
            boolean last = i == Parts.AT.length;
            double to = last ? 1 : Parts.AT[i];
            double next = last ? beside : figures[parts + i];
            if (next + to >= 1) {
                return from + (to - from) * (1 - wanted - from) / (next - wanted + to - from);
            }
            from = to;
            wanted = next;
        }
        return 1;
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
