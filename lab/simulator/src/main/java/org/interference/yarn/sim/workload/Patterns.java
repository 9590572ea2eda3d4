package org.interference.yarn.sim.workload;

import java.util.List;

/** The built-in patterns. Another one is another entry of the list. */
public final class Patterns {
    private static final List<Pattern> ALL = List.of(
            new PublishedDispatch(),
            new PoissonArrivals("poisson", 0.8),
            new PoissonArrivals("poisson-50", 0.5),
            new ManyJobs());

    private Patterns() {}

    /** Returns every pattern; the first is the report's. */
    public static List<Pattern> all() {
        return ALL;
    }
}
