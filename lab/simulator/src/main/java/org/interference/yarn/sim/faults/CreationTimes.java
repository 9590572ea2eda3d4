package org.interference.yarn.sim.faults;

import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeResourceUpdateSchedulerEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.event.NodeUpdateSchedulerEvent;
import org.interference.yarn.sim.engine.CreationTime;

/**
 * When containers were made. Of a node that has become too small, as one that is to be emptied does, YARN kills the newest first, by this
 * machine's clock in milliseconds: which one that is would be another one whenever two are made in one of them. Not thread-safe.
 */
final class CreationTimes {
    private final AbstractYarnScheduler<?, ?> scheduler;
    /** Far from what the machine's clock says. */
    private long looks;

    CreationTimes(AbstractYarnScheduler<?, ?> scheduler) {
        this.scheduler = scheduler;
    }

    /** Has those count as new that were made since the last event of their node, if {@code event} is one: some may be killed by it. */
    void before(Event<?> event) {
        if (event instanceof NodeUpdateSchedulerEvent update) {
            look(update.getRMNode().getNodeID());
        } else if (event instanceof NodeResourceUpdateSchedulerEvent update) {
            look(update.getRMNode().getNodeID());
        }
    }

    private void look(NodeId id) {
        looks++;
        SchedulerNode node = scheduler.getSchedulerNode(id);
        if (node == null) {
            return;
        }
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            CreationTime.atMost(container, looks);
        }
    }
}
