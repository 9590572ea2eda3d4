package org.interference.yarn.sim.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.interference.yarn.sim.engine.ClusterShape;
import org.interference.yarn.sim.engine.Knowledge;
import org.interference.yarn.sim.policy.Policies;
import org.interference.yarn.sim.workload.Pattern;
import org.interference.yarn.sim.workload.Patterns;
import org.interference.yarn.sim.world.World;
import org.interference.yarn.sim.world.Worlds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptimalRunTest {
    private static final Pattern FEW = Patterns.all().stream()
            .filter(pattern -> pattern.name().equals("few"))
            .findFirst()
            .orElseThrow();

    /** Neither a real scheduler nor one that knows the truth of the moment, in the simulator as it is. */
    @ParameterizedTest
    @ValueSource(strings = {"none", "water-heavy", "curves-heavy", "curves-destructive", "hidden-heavy"})
    void noPolicyIsFasterThanTheOptimum(String name) {
        World world = Worlds.named(name);
        ReportPlan plan = plan(FEW, world);
        for (long seed : plan.seeds()) {
            double optimum = plan.optimum(world, seed).makespan();

            for (String policy : List.of("fair", "greedy-match", "greedy-leave")) {
                assertThat(plan.run(world, Policies.named(policy), seed, Knowledge.NONE)
                                .makespan())
                        .as("%s, seed %d", policy, seed)
                        .isGreaterThanOrEqualTo(optimum - 1e-6);
            }
        }
    }

    @Test
    void manyTasksAndNodesThatDifferAreRefused() {
        World heavy = Worlds.named("water-heavy");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan(Patterns.all().get(0), heavy).optimum(heavy, 1))
                .withMessageStartingWith("the optimum is found of 1 to 8 tasks, not of ");
        World sizes = Worlds.named("sizes-heavy");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plan(FEW, sizes).optimum(sizes, 1))
                .withMessage("the optimum is found where all nodes are alike, which they are not in sizes-heavy");
    }

    private static ReportPlan plan(Pattern pattern, World world) {
        return new ReportPlan(
                "few", List.of(world), Policies.all(), pattern, new ClusterShape(2, 2), List.of(1L, 2L, 3L));
    }
}
