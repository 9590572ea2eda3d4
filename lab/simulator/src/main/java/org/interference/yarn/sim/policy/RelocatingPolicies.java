package org.interference.yarn.sim.policy;

import org.interference.yarn.sim.engine.Policy;

/** Rows in which containers are asked to leave their nodes. Each is made anew for each run. */
public final class RelocatingPolicies {
    public static final String OURS = "relocating-fair";
    /** What {@link #OURS} is compared with: it looks as often, because each look refreshes what placement remembers of nodes, and asks nobody. */
    public static final String WITHOUT = "relocating-fair-dry";

    private RelocatingPolicies() {}

    /**
     * Returns our FairScheduler with relocation.
     *
     * @param history of one run
     */
    public static Policy ours(RelocationHistory history) {
        return row(OURS, "on", history);
    }

    /** Returns the same in a dry run. */
    public static Policy without() {
        return row(WITHOUT, "dry-run", new RelocationHistory());
    }

    private static Policy row(String name, String mode, RelocationHistory history) {
        return Row.like(
                Policies.named("ours-fair"),
                name,
                conf -> conf.set("yarn.interference.relocate.mode", mode),
                insight -> new RelocatingFairScheduler(insight, history));
    }
}
