package org.interference.yarn.sim.policy;

import java.util.List;
import java.util.Optional;
import org.interference.yarn.InterferenceAwareFairScheduler;
import org.interference.yarn.app.Surroundings;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.sim.engine.Insight;

/** As {@link SimulatedPluginScheduler}, with the FairScheduler as its parent. */
class SimulatedFairPluginScheduler extends InterferenceAwareFairScheduler {
    private final Insight insight;
    private final List<TaskProfile> profiles;

    SimulatedFairPluginScheduler(Insight insight, List<TaskProfile> profiles) {
        this.insight = insight;
        this.profiles = List.copyOf(profiles);
        TrainedPredictor.next(insight.known().model());
    }

    @Override
    protected Surroundings surroundings() {
        return SimulatedPluginScheduler.surroundings(insight, housekeeping -> {}, Optional.empty());
    }

    @Override
    public void serviceStart() throws Exception {
        super.serviceStart();
        restSources().orElseThrow().learnt().profiles().restore(profiles);
    }
}
