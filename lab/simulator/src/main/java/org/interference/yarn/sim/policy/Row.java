package org.interference.yarn.sim.policy;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.interference.yarn.sim.engine.Freedom;
import org.interference.yarn.sim.engine.Insight;
import org.interference.yarn.sim.engine.Policy;

/** A policy made of its parts. Immutable. */
record Row(
        String name,
        String describes,
        String parent,
        Freedom freedom,
        boolean readsCounters,
        boolean isWarm,
        Kind kind,
        Consumer<Configuration> settings,
        Function<Insight, ResourceScheduler> maker)
        implements Policy {
    /** What is different with it but the scheduler. */
    enum Kind {
        USUAL(0),
        MISTAKEN(0),
        ONE_SLOT(1),
        TWO_SLOTS(2),
        THREE_SLOTS(3);

        private final int slots;

        Kind(int slots) {
            this.slots = slots;
        }
    }

    /**
     * Returns another row beside {@code other}.
     *
     * @param more is set besides what {@code other} sets
     */
    static Row like(
            Policy other, String name, Consumer<Configuration> more, Function<Insight, ResourceScheduler> maker) {
        return new Row(
                name,
                other.describes(),
                other.parent(),
                other.freedom(),
                other.readsCounters(),
                other.isWarm(),
                other instanceof Row row ? row.kind : Kind.USUAL,
                conf -> {
                    other.configure(conf);
                    more.accept(conf);
                },
                maker);
    }

    @Override
    public int slots(int configured) {
        return kind.slots == 0 ? configured : Math.min(kind.slots, configured);
    }

    @Override
    public boolean isMistaken() {
        return kind == Kind.MISTAKEN;
    }

    @Override
    public Optional<String> placebo() {
        return switch (freedom) {
            case STOCK -> Optional.empty();
            case NODE -> Optional.of("placebo-shuffled");
            case MATCH, LEAVE -> Optional.of(parent.equals("capacity") ? "placebo-capacity" : "placebo-match");
        };
    }

    @Override
    public Optional<String> greedy() {
        return switch (freedom) {
            case STOCK -> Optional.empty();
            case NODE -> Optional.of("greedy-node");
            case MATCH -> Optional.of("greedy-match");
            // It is made of the FairScheduler, whose difference to the CapacityScheduler is no regret.
            case LEAVE -> parent.equals("fair") ? Optional.of("greedy-leave") : Optional.empty();
        };
    }

    @Override
    public void configure(Configuration conf) {
        settings.accept(conf);
    }

    @Override
    public ResourceScheduler scheduler(Insight insight) {
        return maker.apply(insight);
    }
}
