package org.interference.yarn.sim.report;

import java.util.List;
import org.interference.yarn.sim.engine.ClusterShape;
import org.interference.yarn.sim.policy.Policies;
import org.interference.yarn.sim.workload.Pattern;
import org.interference.yarn.sim.world.World;
import org.interference.yarn.sim.world.Worlds;

/**
 * Our scheduler beside its parent, the placebo of its freedom and somebody who knows the truth, in the three regimes of one family of
 * worlds. Immutable.
 *
 * @param key in the file
 * @param family of the worlds: {@code curves} for {@code curves-mild}, {@code curves-heavy} and {@code curves-destructive}
 */
record Comparison(String key, String family, Roles roles, Pattern pattern, ClusterShape shape, List<Long> seeds) {
    static final List<String> REGIMES = List.of("mild", "heavy", "destructive");

    /** The names of the policies. */
    record Roles(String parent, String placebo, String ours) {
        /** Who knows the truth, under a FairScheduler: nobody does under a CapacityScheduler. */
        private static final String GREEDY = "greedy-leave";

        static final Roles FAIR = new Roles("fair", "placebo-match", "ours-fair");
        static final Roles CAPACITY = new Roles("capacity", "placebo-capacity", "ours-capacity");

        List<String> inOrder() {
            return List.of(parent, placebo, ours, GREEDY);
        }

        String greedy() {
            return GREEDY;
        }
    }

    Comparison {
        seeds = List.copyOf(seeds);
    }

    Comparison withSeeds(List<Long> others) {
        return new Comparison(key, family, roles, pattern, shape, others);
    }

    World world(String regime) {
        return Worlds.named(family + "-" + regime);
    }

    /** Returns what is to be run. */
    ReportPlan plan() {
        return new ReportPlan(
                key,
                REGIMES.stream().map(this::world).toList(),
                roles.inOrder().stream().map(Policies::named).toList(),
                pattern,
                shape,
                seeds);
    }
}
