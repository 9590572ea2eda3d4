package org.interference.yarn.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RunPlanTest {
    private static final List<String> POLICIES = List.of("fair", "capacity", "ours-cold", "ours-warm");

    @Test
    void everyPolicyIsRunOnceInEveryBlock() {
        List<RunKey> runs = compared(new RunPlan(Mix.CONTENDED, POLICIES, 5, 1));

        for (int block = 0; block < 5; block++) {
            int repetition = block + 1;
            List<RunKey> inBlock = runs.subList(block * POLICIES.size(), repetition * POLICIES.size());
            assertThat(inBlock).extracting(RunKey::repetition).containsOnly(repetition);
            assertThat(inBlock).extracting(RunKey::policy).containsExactlyInAnyOrderElementsOf(POLICIES);
        }
    }

    @Test
    void blocksHaveOrdersOfTheirOwn() {
        List<RunKey> runs = compared(new RunPlan(Mix.CONTENDED, POLICIES, 20, 1));

        Set<String> first = new HashSet<>();
        for (int i = 0; i < runs.size(); i += POLICIES.size()) {
            first.add(runs.get(i).policy());
        }
        assertThat(first).containsExactlyInAnyOrderElementsOf(POLICIES);
    }

    @Test
    void moreRepetitionsKeepThoseThatWereMade() {
        assertThat(new RunPlan(Mix.CONTENDED, POLICIES, 6, 4).runs())
                .startsWith(new RunPlan(Mix.CONTENDED, POLICIES, 3, 4).runs().toArray(new RunKey[0]));
    }

    @Test
    void kindsAreMeasuredAloneBeforeAnythingIsCompared() {
        assertThat(new RunPlan(Mix.UNCONTENDED, POLICIES, 1, 1).runs())
                .extracting(RunKey::policy)
                .startsWith(RunKey.ALONE, RunKey.ALONE);
    }

    @Test
    void whatCannotBeComparedIsRefused() {
        assertThatThrownBy(() -> new RunPlan(Mix.SMOKE, List.of("fifo"), 1, 1)).hasMessageContaining("'fifo'");
        assertThatThrownBy(() -> new RunPlan(Mix.SMOKE, List.of("fair", "fair"), 1, 1))
                .hasMessageContaining("once");
        assertThatThrownBy(() -> new RunPlan(Mix.SMOKE, List.of("fair"), 0, 1)).hasMessageContaining("at least 1");
    }

    private static List<RunKey> compared(RunPlan plan) {
        return plan.runs().stream()
                .filter(run -> RunPlan.POLICIES.contains(run.policy()))
                .toList();
    }
}
