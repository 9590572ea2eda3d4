package org.interference.yarn.sim.engine;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;

/**
 * What every policy's ResourceManager is configured with: three equal queues that may use the whole cluster.
 *
 * <p>All of it is about the simulation, but for the two settings that let a queue of the CapacityScheduler grow beyond its share, as
 * the FairScheduler's do: with their defaults, one user could use a third of the cluster.
 */
public final class SimulatedYarn {
    private static final Configuration BASE = base();

    private SimulatedYarn() {}

    static SchedulerConfiguration configuration(Policy policy, Insight insight, VirtualClock clock) {
        ResourceScheduler scheduler = policy.scheduler(insight);
        if (scheduler instanceof AbstractYarnScheduler<?, ?> abstractScheduler) {
            abstractScheduler.setClock(clock);
        }
        SchedulerConfiguration conf = new SchedulerConfiguration(BASE, scheduler);
        policy.configure(conf);
        return conf;
    }

    public static Configuration base() {
        DefaultMetricsSystem.setMiniClusterMode(true);
        YarnConfiguration conf = new YarnConfiguration();
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, ResourceManagerDriver.SLOT_MEGABYTES);
        conf.setBoolean(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_ENABLED, false);
        conf.set(YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_IMPL_CLASS, NoNodeAttributes.class.getName());
        // By this machine's clock nobody is late.
        conf.setInt(YarnConfiguration.SCHEDULER_SKIP_NODE_MULTIPLIER, 10_000);
        // No thread of YARN's, which would otherwise update whenever a node comes or goes, and it gets a processor.
        conf.setLong("yarn.scheduler.fair.update-interval-ms", 0);
        conf.setBoolean("yarn.scheduler.capacity.schedule-asynchronously.enable", false);
        conf.set("yarn.scheduler.capacity.root.queues", "a,b,c");
        for (String queue : new String[] {"a", "b", "c"}) {
            String prefix = "yarn.scheduler.capacity.root." + queue;
            conf.set(prefix + ".capacity", "a".equals(queue) ? "33.34" : "33.33");
            conf.set(prefix + ".maximum-capacity", "100");
            conf.set(prefix + ".user-limit-factor", "100");
        }
        // ApplicationMasters run elsewhere; what YARN reserves for them must not hold jobs back.
        conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "1000");
        return conf;
    }
}
