package org.interference.yarn.sim.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.interference.yarn.sim.policy.Policies;
import org.interference.yarn.sim.workload.Patterns;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.world.Worlds;
import org.junit.jupiter.api.Test;

class MistakenNamesTest {
    private static final ClusterShape SHAPE = new ClusterShape(4, 4);
    private static final String NEVER_SEEN = "app09";

    private static final List<SimJob> JOBS = Patterns.all().get(0).jobs(new SplittableRandom(1), SHAPE.slots());
    private static final Knowledge KNOWN = Simulation.run(setup(
                    "learner",
                    JOBS.stream().filter(job -> !job.name().equals(NEVER_SEEN)).toList(),
                    Knowledge.NONE))
            .learnt();

    @Test
    void eachThatIsKnownIsTakenForAnotherThatIsAndNoTwoForTheSame() {
        Set<String> known = JOBS.stream()
                .map(SimJob::name)
                .filter(name -> !name.equals(NEVER_SEEN))
                .collect(Collectors.toSet());

        for (long seed = 0; seed < 20; seed++) {
            Map<String, String> mistaken = MistakenNames.of(JOBS, KNOWN, seed);

            assertThat(mistaken.keySet()).isSubsetOf(known).hasSizeGreaterThan(5);
            assertThat(Set.copyOf(mistaken.values())).isEqualTo(mistaken.keySet());
            assertThat(mistaken).allSatisfy((name, other) -> assertThat(other).isNotEqualTo(name));
        }
    }

    /** Else it would know better after a few tasks. */
    @Test
    void whoTakesApplicationsForOthersDoesNotLearnBetter() {
        assertThat(Simulation.run(setup("placebo-match", JOBS, KNOWN)).learnt().profiles())
                .isEqualTo(KNOWN.profiles());
        assertThat(Simulation.run(setup("ours-fair", JOBS, KNOWN)).learnt().profiles())
                .isNotEqualTo(KNOWN.profiles());
    }

    private static Simulation.Setup setup(String policy, List<SimJob> jobs, Knowledge known) {
        Policy which = policy.equals("learner") ? Policies.learner() : Policies.named(policy);
        return new Simulation.Setup(Worlds.named("water-heavy"), jobs, which, SHAPE, 1, known);
    }
}
