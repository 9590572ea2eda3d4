package org.interference.yarn.sim.report;

import org.interference.yarn.sim.engine.Knowledge;
import org.interference.yarn.sim.world.World;

/** What a cluster has learnt before the test. */
interface Training {
    /**
     * Returns what it has learnt in {@code world}.
     *
     * @param past which of the {@link ReportPlan#PASTS} that it may have had
     */
    Knowledge of(ReportPlan plan, World world, int past);
}
