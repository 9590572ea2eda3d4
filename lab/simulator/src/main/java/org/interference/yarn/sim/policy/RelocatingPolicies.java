package org.interference.yarn.sim.policy;

import org.interference.yarn.sim.engine.Policy;

/** Rows in which containers are asked to leave their nodes. Each is made anew for each run. */
public final class RelocatingPolicies {
    public static final String OURS = "relocating-fair";
    /** What {@link #OURS} is compared with. */
    public static final String WITHOUT = "ours-fair";

    private RelocatingPolicies() {}

    /**
     * Returns our FairScheduler with relocation.
     *
     * @param history of one run
     */
    public static Policy ours(RelocationHistory history) {
        Policy placing = Policies.named(WITHOUT);
        return new Row(
                OURS,
                placing.describes(),
                placing.parent(),
                placing.freedom(),
                placing.readsCounters(),
                placing.isWarm(),
                conf -> {
                    placing.configure(conf);
                    conf.set("yarn.interference.relocate.mode", "on");
                },
                insight -> new RelocatingFairScheduler(insight, history));
    }
}
