package org.interference.yarn.sim.engine;

import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;

/** One row of the report: a scheduler, and what it knows. Stateless; every run gets a scheduler of its own. */
public interface Policy {
    String name();

    /** Returns one sentence for the report. */
    String describes();

    /** Returns the name of the stock scheduler that it is made of; a stock scheduler's own. */
    String parent();

    Freedom freedom();

    /** Returns whether nodes report counters to it; a stock scheduler would not see them. */
    boolean readsCounters();

    /** Returns whether it starts with profiles from training. */
    boolean isWarm();

    /** Returns how many slots a node is configured with for it, at most {@code configured}. */
    int slots(int configured);

    /**
     * Returns whether it takes each application that it knows for another one, from beginning to end: the scheduler gets another's name, and no
     * container's last report, from which it would learn better.
     */
    boolean isMistaken();

    /** Returns the placebo that has the same freedom and knows nothing; empty for one that has no need of it. */
    Optional<String> placebo();

    /**
     * Returns the policy of the same freedom that knows the truth of the moment and is greedy for it; empty for a stock scheduler. It is no
     * ceiling: greed for the throughput of now may cost more later.
     */
    Optional<String> greedy();

    /** Adds what the scheduler is configured with. */
    void configure(Configuration conf);

    /** Returns a new scheduler, neither initialised nor started. */
    ResourceScheduler scheduler(Insight insight);
}
