package org.interference.yarn.testbed;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Which runs there are to be made, and in which order: each kind alone first, but for the smoke test, then blocks of one repetition under every policy, each
 * in an order of its own, so that what changes in the box while they are made changes for all.
 *
 * @param repetitions how many blocks
 */
record RunPlan(Mix mix, List<String> policies, int repetitions, long seed) {
    /**
     * What can be compared; {@code placebo} is {@code ours-warm} with the profiles shuffled, {@code ours-capacity} knows what it knows, and under {@code
     * ours-elastic} nodes grow as well.
     */
    static final List<String> POLICIES =
            List.of("fair", "capacity", "ours-cold", "ours-warm", "placebo", "ours-capacity", "ours-elastic");

    /** Each host then has measured each kind twice. */
    private static final int ALONE = 2;

    RunPlan {
        policies = List.copyOf(policies);
        for (String policy : policies) {
            if (!POLICIES.contains(policy)) {
                throw new IllegalArgumentException(
                        "--policies has '%s' in it, but knows %s".formatted(policy, String.join(", ", POLICIES)));
            }
        }
        if (policies.isEmpty() || Set.copyOf(policies).size() < policies.size()) {
            throw new IllegalArgumentException("--policies is %s but must name each of them once".formatted(policies));
        }
        if (repetitions < 1) {
            throw new IllegalArgumentException("--repetitions is %d but must be at least 1".formatted(repetitions));
        }
    }

    /** Returns all runs in their order. */
    List<RunKey> runs() {
        List<RunKey> runs = new ArrayList<>();
        int alone = mix == Mix.SMOKE ? 0 : ALONE;
        for (int repetition = 1; repetition <= alone; repetition++) {
            runs.add(new RunKey(mix, RunKey.ALONE, repetition));
        }
        Random random = new Random(seed);
        for (int repetition = 1; repetition <= repetitions; repetition++) {
            List<String> block = new ArrayList<>(policies);
            Collections.shuffle(block, random);
            for (String policy : block) {
                runs.add(new RunKey(mix, policy, repetition));
            }
        }
        return runs;
    }

    /** Returns the seed of the jobs of a repetition, which are the same under every policy. */
    long seedOf(int repetition) {
        return seed + repetition - 1;
    }
}
