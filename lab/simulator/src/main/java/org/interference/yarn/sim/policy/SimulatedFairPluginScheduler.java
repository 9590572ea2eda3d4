package org.interference.yarn.sim.policy;

import java.util.Optional;
import java.util.function.Consumer;
import org.interference.yarn.InterferenceAwareFairScheduler;
import org.interference.yarn.app.LearntStore;
import org.interference.yarn.app.Surroundings;
import org.interference.yarn.sim.engine.Insight;

/** As {@link SimulatedPluginScheduler}, with the FairScheduler as its parent. */
class SimulatedFairPluginScheduler extends InterferenceAwareFairScheduler {
    private final Insight insight;
    private final Consumer<Runnable> everySecond;
    private final Optional<LearntStore> kept;

    /** As {@link SimulatedPluginScheduler#SimulatedPluginScheduler(Insight)}. */
    SimulatedFairPluginScheduler(Insight insight) {
        this(insight, housekeeping -> {}, Optional.empty());
    }

    private SimulatedFairPluginScheduler(Insight insight, Consumer<Runnable> everySecond, Optional<LearntStore> kept) {
        this.insight = insight;
        this.everySecond = everySecond;
        this.kept = kept;
        TrainedPredictor.next(insight.known().model());
    }

    /** As {@link SimulatedPluginScheduler#learning}. */
    static SimulatedFairPluginScheduler learning(Insight insight) {
        return new SimulatedFairPluginScheduler(insight, insight.everySecond(), Optional.of(insight.kept()));
    }

    @Override
    protected Surroundings surroundings() {
        return SimulatedPluginScheduler.surroundings(insight, everySecond, kept);
    }

    @Override
    public void serviceStart() throws Exception {
        super.serviceStart();
        restSources().orElseThrow().learnt().profiles().restore(insight.known().profiles());
    }
}
