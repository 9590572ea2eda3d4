package org.interference.yarn.sim.policy;

import java.util.List;
import java.util.Random;
import org.apache.hadoop.thirdparty.com.google.common.util.concurrent.MoreExecutors;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.app.Surroundings;
import org.interference.yarn.profile.TaskProfile;
import org.interference.yarn.sim.engine.Insight;

/** The project's scheduler as it is released, but for its clock, its threads and where its first profiles come from. */
final class SimulatedPluginScheduler extends InterferenceAwareScheduler {
    private final Insight insight;
    private final List<TaskProfile> profiles;

    SimulatedPluginScheduler(Insight insight, List<TaskProfile> profiles) {
        this.insight = insight;
        this.profiles = List.copyOf(profiles);
    }

    @Override
    protected Surroundings surroundings() {
        return new Surroundings(
                insight.clock(),
                MoreExecutors.newDirectExecutorService(),
                new NeverOnItsOwn(),
                MoreExecutors.newDirectExecutorService(),
                new Random(0));
    }

    @Override
    public void serviceStart() throws Exception {
        super.serviceStart();
        restSources().orElseThrow().profiles().restore(profiles);
    }
}
