package org.interference.yarn.sim.policy;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** The CapacityScheduler with its multi-node placement in the order of some gain, the highest first. */
final class OrderedCapacityScheduler extends CapacityScheduler {
    private final Gains gains;

    OrderedCapacityScheduler(Gains gains) {
        this.gains = gains;
    }

    @Override
    public void serviceInit(Configuration conf) throws Exception {
        gains.attach(rmContext);
        super.serviceInit(conf);
    }

    Gains gains() {
        return gains;
    }
}
