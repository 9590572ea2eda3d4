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
     * Returns independent arrivals of {@code kinds}, whose rate drifts if loads differ.
     *
     * @param first per cent of the slots would be in use without interference, at the rate of the first jobs; positive
     * @param last the same of the last jobs
     */
    public static Pattern poisson(List<SimTaskKind> kinds, int first, int last) {
        return new PoissonArrivals(
                first == last ? "poisson-" + first : "poisson-%d-%d".formatted(first, last),
                first / 100.0,
                last / 100.0,
                kinds);
    }

    /**
     * Returns what was run before some applications became other programs.
     *
     * @param pattern what is run now, each application being a kind
     * @param perCent of {@code kinds} are applications that have changed, two at least; from 1 to 100
     */
    public static Pattern beforeChanges(Pattern pattern, List<SimTaskKind> kinds, int perCent) {
        return ChangedApplications.of(pattern, kinds, perCent);
    }
}
