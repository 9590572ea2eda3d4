package org.interference.yarn.sim.workload;

import java.util.List;

/** The built-in patterns. Another one is another entry of the list. */
public final class Patterns {
    private static final List<Pattern> ALL = of(SimTaskKinds.all());

    private Patterns() {}

    /** Returns every pattern, of the built-in kinds; the first is the report's. */
    public static List<Pattern> all() {
        return ALL;
    }

    /** Returns every pattern in the order of {@link #all}, its jobs of {@code kinds}, of which there is one at least. */
    public static List<Pattern> of(List<SimTaskKind> kinds) {
        return List.of(
                new PublishedDispatch(kinds),
                new PoissonArrivals("poisson", 0.8, kinds),
                new PoissonArrivals("poisson-50", 0.5, kinds),
                new ManyJobs(kinds),
                new FewTasks(kinds));
    }

    /**
     * Returns independent arrivals of {@code kinds}.
     *
     * @param perCent of the slots would be in use without interference; positive
     */
    public static Pattern poisson(List<SimTaskKind> kinds, int perCent) {
        return new PoissonArrivals("poisson-" + perCent, perCent / 100.0, kinds);
    }
}
