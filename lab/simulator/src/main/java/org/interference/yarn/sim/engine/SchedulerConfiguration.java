package org.interference.yarn.sim.engine;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;

/** A configuration that brings the scheduler itself: MockRM makes its scheduler in its own constructor. */
public final class SchedulerConfiguration extends YarnConfiguration {
    private final ResourceScheduler scheduler;

    public SchedulerConfiguration(Configuration base, ResourceScheduler scheduler) {
        super(base);
        this.scheduler = scheduler;
    }

    ResourceScheduler scheduler() {
        return scheduler;
    }
}
