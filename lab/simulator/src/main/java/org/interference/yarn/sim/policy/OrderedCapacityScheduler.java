package org.interference.yarn.sim.policy;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;

/** The CapacityScheduler with its multi-node placement in the order of some cost. */
final class OrderedCapacityScheduler extends CapacityScheduler {
    private final Costs costs;

    OrderedCapacityScheduler(Costs costs) {
        this.costs = costs;
    }

    @Override
    public void serviceInit(Configuration conf) throws Exception {
        costs.attach(rmContext);
        super.serviceInit(conf);
    }

    Costs costs() {
        return costs;
    }
}
