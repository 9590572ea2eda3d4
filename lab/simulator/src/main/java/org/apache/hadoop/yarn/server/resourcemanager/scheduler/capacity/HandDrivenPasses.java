package org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity;

import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler.AsyncSchedulingConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.SimpleCandidateNodeSet;

/** Asynchronous scheduling without its threads. In YARN's package, because YARN keeps these methods there. */
public final class HandDrivenPasses {
    private final CapacityScheduler scheduler;
    private boolean inHeartbeat;

    /** @param scheduler started, with asynchronous scheduling not enabled */
    public HandDrivenPasses(CapacityScheduler scheduler) {
        this.scheduler = scheduler;
        scheduler.setAsyncSchedulingConf(new AsyncSchedulingConfiguration(scheduler.getConfiguration(), scheduler) {
            @Override
            public boolean isScheduleAsynchronously() {
                return inHeartbeat;
            }
        });
    }

    /** Does for one node what a thread of asynchronous scheduling does in the course of a pass over all nodes; what it proposes is committed at once. */
    public void visit(NodeId id) {
        FiCaSchedulerNode node = scheduler.getNode(id);
        if (node != null && !CapacityScheduler.shouldSkipNodeSchedule(node, scheduler, false)) {
            scheduler.allocateContainersToNode(new SimpleCandidateNodeSet<>(node), false);
        }
    }

    /** Does something, a heartbeat, in which the scheduler is not to decide: it would leave that to its threads. */
    public void withoutDeciding(Runnable heartbeat) {
        inHeartbeat = true;
        try {
            heartbeat.run();
        } finally {
            inHeartbeat = false;
        }
    }
}
