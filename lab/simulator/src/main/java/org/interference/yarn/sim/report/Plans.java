package org.interference.yarn.sim.report;

import java.util.List;
import java.util.Set;
import org.interference.yarn.sim.engine.ClusterShape;
import org.interference.yarn.sim.engine.Policy;
import org.interference.yarn.sim.policy.Policies;
import org.interference.yarn.sim.workload.Pattern;
import org.interference.yarn.sim.workload.Patterns;
import org.interference.yarn.sim.workload.trace.KindInference;
import org.interference.yarn.sim.workload.trace.SwimReplay;
import org.interference.yarn.sim.world.World;
import org.interference.yarn.sim.world.Worlds;

/** What the committed reports run. */
public final class Plans {
    private static final Set<String> REDUCED_WORLDS = Set.of("none", "water-heavy", "adversarial-mild");
    private static final Set<String> LARGE_POLICIES =
            Set.of("fair", "capacity", "ours-warm", "ours-fair", "greedy-node", "greedy-leave");
    private static final int OTHER_PATTERNS_SEEDS = 10;
    private static final int LARGE_SEEDS = 3;

    private Plans() {}

    /** Returns the plan that the gate runs; its seeds are not the test's. */
    public static ReportPlan reduced() {
        return new ReportPlan(
                "Reduced",
                Worlds.all().stream()
                        .filter(world -> REDUCED_WORLDS.contains(world.name()))
                        .toList(),
                Policies.all(),
                dispatch(),
                new ClusterShape(4, 4),
                List.of(1L, 2L, 3L));
    }

    /** Returns the plans of the committed report, the main one first. */
    public static List<ReportPlan> full(List<Long> seeds) {
        return List.of(
                new ReportPlan(
                        "The published dispatch",
                        Worlds.all(),
                        Policies.all(),
                        dispatch(),
                        new ClusterShape(8, 4),
                        seeds),
                of("Poisson arrivals, 80 % load", Patterns.all().get(1), seeds),
                of("Poisson arrivals, 50 % load", Patterns.all().get(2), seeds),
                of("A Facebook day in 2009", new SwimReplay(KindInference.USUAL), seeds),
                large(seeds.subList(0, Math.min(LARGE_SEEDS, seeds.size()))));
    }

    /** Other arrivals than the published ones, in a heavy world and in a destructive one. */
    private static ReportPlan of(String name, Pattern pattern, List<Long> seeds) {
        return new ReportPlan(
                name,
                List.of(heavy(), Worlds.named("curves-destructive")),
                Policies.all(),
                pattern,
                new ClusterShape(8, 4),
                seeds.subList(0, Math.min(OTHER_PATTERNS_SEEDS, seeds.size())));
    }

    private static ReportPlan large(List<Long> seeds) {
        List<Policy> policies = Policies.all().stream()
                .filter(policy -> LARGE_POLICIES.contains(policy.name()))
                .toList();
        return new ReportPlan(
                "A hundred nodes", List.of(heavy()), policies, dispatch(), new ClusterShape(100, 4), seeds);
    }

    private static Pattern dispatch() {
        return Patterns.all().get(0);
    }

    private static World heavy() {
        return Worlds.named("water-heavy");
    }
}
