package org.interference.yarn.sim.policy;

import org.interference.yarn.sim.engine.Insight;

/** As {@link SimulatedFairPluginScheduler}, with relocation's turn once in every virtual second; its settings say what that does. */
final class RelocatingFairScheduler extends SimulatedFairPluginScheduler {
    private final Insight insight;
    private final RelocationHistory history;
    private final PublishedMoves published;

    RelocatingFairScheduler(Insight insight, RelocationHistory history) {
        super(insight);
        this.insight = insight;
        this.history = history;
        this.published = new PublishedMoves(this, insight.everything(), history);
    }

    @Override
    public void serviceStart() throws Exception {
        super.serviceStart();
        insight.everySecond().accept(this::everySecond);
    }

    private void everySecond() {
        relocations().ifPresent(relocations -> {
            relocations.tick(insight.clock().instant());
            history.tell(relocations.report().tally());
        });
        published.look(insight.clock().instant());
    }
}
