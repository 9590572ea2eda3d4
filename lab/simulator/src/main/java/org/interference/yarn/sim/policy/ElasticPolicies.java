package org.interference.yarn.sim.policy;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.interference.yarn.capacity.GovernorSettings;
import org.interference.yarn.capacity.Size;
import org.interference.yarn.sim.engine.Insight;
import org.interference.yarn.sim.engine.Policy;
import org.interference.yarn.sim.engine.ResourceManagerDriver;

/** Rows in which nodes have other sizes than they are configured with. Each is made anew for each run. */
public final class ElasticPolicies {
    public static final String OURS = "elastic-fair";
    public static final String OURS_CAPACITY = "elastic-capacity";
    public static final String THRESHOLD = "threshold-fair";
    public static final String OURS_THRESHOLD = "ours-fair-threshold";
    public static final String PLACEBO = "elastic-placebo";
    public static final String CLAIRVOYANT = "elastic-clairvoyant";

    private static final GovernorSettings SETTINGS = GovernorSettings.from((key, fallback) -> fallback);
    private static final Size CONTAINER = new Size(ResourceManagerDriver.SLOT_MEGABYTES, 1);

    private ElasticPolicies() {}

    /**
     * Returns all of them.
     *
     * @param history of what ours does, which the placebo does after it
     */
    public static List<Policy> all(SizeHistory history) {
        return List.of(
                ours(OURS, "ours-fair", insight -> new ElasticFairScheduler(insight, history)),
                ours(
                        OURS_CAPACITY,
                        "ours-capacity",
                        insight -> new ElasticCapacityScheduler(insight, new SizeHistory())),
                elastic(THRESHOLD, "fair", (scheduler, insight) -> threshold()),
                elastic(OURS_THRESHOLD, "ours-fair", (scheduler, insight) -> threshold()),
                elastic(
                        PLACEBO,
                        "ours-fair",
                        (scheduler, insight) ->
                                new RandomSizer(history, SETTINGS.maxFactor(), CONTAINER, insight.seed())),
                elastic(
                        CLAIRVOYANT,
                        "greedy-leave",
                        (scheduler, insight) -> new TrueSizer(scheduler, insight, SETTINGS)));
    }

    private static Sizer threshold() {
        return new ThresholdSizer(SETTINGS.maxFactor(), CONTAINER);
    }

    private static Policy ours(String name, String parent, Function<Insight, ResourceScheduler> maker) {
        return Row.like(Policies.named(parent), name, conf -> conf.set("yarn.interference.capacity.mode", "on"), maker);
    }

    private static Policy elastic(
            String name, String parent, BiFunction<AbstractYarnScheduler<?, ?>, Insight, Sizer> sizer) {
        Policy placing = Policies.named(parent);
        return Row.like(placing, name, conf -> {}, insight -> {
            AbstractYarnScheduler<?, ?> scheduler = (AbstractYarnScheduler<?, ?>) placing.scheduler(insight);
            ElasticNodes.of(scheduler, insight, sizer.apply(scheduler, insight));
            return scheduler;
        });
    }
}
