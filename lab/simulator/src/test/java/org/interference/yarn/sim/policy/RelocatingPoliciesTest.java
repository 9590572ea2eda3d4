package org.interference.yarn.sim.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.interference.yarn.relocate.Judgement;
import org.interference.yarn.sim.engine.ClusterShape;
import org.interference.yarn.sim.engine.Knowledge;
import org.interference.yarn.sim.engine.RunOutcome;
import org.interference.yarn.sim.engine.Simulation;
import org.interference.yarn.sim.workload.Patterns;
import org.interference.yarn.sim.workload.SimJob;
import org.interference.yarn.sim.world.Worlds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Relocation in virtual time. */
@Timeout(300)
class RelocatingPoliciesTest {
    private static final ClusterShape SMALL = new ClusterShape(4, 4);
    private static final long SEED = 5;

    @Test
    void whoHasLearntNothingMovesNobodyAndPublishedPoliciesAreJudgedAllTheSame() {
        List<SimJob> jobs = Patterns.all().get(0).jobs(new SplittableRandom(SEED), SMALL.slots());
        RelocationHistory history = new RelocationHistory();

        RunOutcome outcome = Simulation.run(new Simulation.Setup(
                Worlds.named("water-destructive"),
                jobs,
                RelocatingPolicies.ours(history),
                SMALL,
                SEED,
                Knowledge.NONE));

        assertThat(history.tally().asked()).isZero();
        assertThat(history.tally().reasons()).isNotEmpty().doesNotContainKey(Judgement.Reason.GOES);
        assertThat(outcome.use().lostSeconds()).isZero();
        assertThat(history.moves()).isPositive();
        assertThat(history.wrong()).isBetween(0, history.moves());
    }
}
