package org.interference.yarn.sim.policy;

import org.interference.yarn.InterferenceAwareFairScheduler;
import org.interference.yarn.app.Surroundings;
import org.interference.yarn.sim.engine.Insight;

/** As {@link SimulatedPluginScheduler}, with the FairScheduler as its parent. */
final class SimulatedFairPluginScheduler extends InterferenceAwareFairScheduler {
    private final Insight insight;

    SimulatedFairPluginScheduler(Insight insight) {
        this.insight = insight;
        TrainedPredictor.next(insight.known().model());
    }

    @Override
    protected Surroundings surroundings() {
        return SimulatedPluginScheduler.surroundings(insight, housekeeping -> {});
    }

    @Override
    public void serviceStart() throws Exception {
        super.serviceStart();
        restSources().orElseThrow().profiles().restore(insight.known().profiles());
    }
}
