package org.interference.yarn.sim.policy;

import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.MoreExecutors;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.app.LearntStore;
import org.interference.yarn.app.Surroundings;
import org.interference.yarn.sim.engine.Insight;

/** The project's scheduler as it is released, but for its clock, its threads and where its first profiles come from. */
class SimulatedPluginScheduler extends InterferenceAwareScheduler {
    private final Insight insight;
    private final Consumer<Runnable> everySecond;
    private final Optional<LearntStore> kept;

    /** Learns profiles only, and predicts by what was learnt before, if its settings say so. */
    SimulatedPluginScheduler(Insight insight) {
        this(insight, housekeeping -> {}, Optional.empty());
    }

    private SimulatedPluginScheduler(Insight insight, Consumer<Runnable> everySecond, Optional<LearntStore> kept) {
        this.insight = insight;
        this.everySecond = everySecond;
        this.kept = kept;
        TrainedPredictor.next(insight.known().model());
    }

    /** Returns one that learns all that it can, models too, and goes on where its last life ended. */
    static SimulatedPluginScheduler learning(Insight insight) {
        return new SimulatedPluginScheduler(insight, insight.everySecond(), Optional.of(insight.kept()));
    }

    @Override
    protected Surroundings surroundings() {
        return surroundings(insight, everySecond, kept);
    }

    static Surroundings surroundings(Insight insight, Consumer<Runnable> everySecond, Optional<LearntStore> kept) {
        return new Surroundings(
                insight.clock(),
                MoreExecutors.newDirectExecutorService(),
                new NeverOnItsOwn(everySecond),
                MoreExecutors.newDirectExecutorService(),
                new Random(insight.seed()),
                () -> 0,
                kept);
    }

    @Override
    public void serviceStart() throws Exception {
        super.serviceStart();
        restSources().orElseThrow().learnt().profiles().restore(insight.known().profiles());
    }
}
