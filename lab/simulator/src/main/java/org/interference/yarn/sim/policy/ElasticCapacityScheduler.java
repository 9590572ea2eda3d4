package org.interference.yarn.sim.policy;

import org.interference.yarn.app.Surroundings;
import org.interference.yarn.sim.engine.Insight;

/** As {@link SimulatedPluginScheduler}, which gives its nodes other sizes; its settings say whether. */
final class ElasticCapacityScheduler extends SimulatedPluginScheduler {
    private final Insight insight;
    private final SizeHistory history;

    ElasticCapacityScheduler(Insight insight, SizeHistory history) {
        super(insight);
        this.insight = insight;
        this.history = history;
    }

    @Override
    protected Surroundings surroundings() {
        return super.surroundings().with(new OwnSizes.Kept());
    }

    @Override
    public void serviceStart() throws Exception {
        super.serviceStart();
        OwnSizes.of(this, sizes().orElseThrow(), insight, history);
    }
}
