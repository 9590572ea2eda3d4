package org.interference.yarn.capacity.yarn;

import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceOption;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeResourceUpdateEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.interference.yarn.capacity.Size;

/** Does on YARN what was decided. Thread-safe. */
final class Resizing {
    /** With which YARN kills nobody for whom there is no room any more. */
    private static final int KILL_NOBODY = -1;

    private final RMContext rmContext;
    private final LongAdder evictions = new LongAdder();

    Resizing(RMContext rmContext) {
        this.rmContext = rmContext;
    }

    /** Has YARN take {@code node} for so large, some time later. */
    void set(RMNode node, Size size) {
        Resource resource = Sizes.with(node.getTotalCapability(), size);
        rmContext
                .getDispatcher()
                .getEventHandler()
                .handle(new RMNodeResourceUpdateEvent(
                        node.getNodeID(), ResourceOption.newInstance(resource, KILL_NOBODY)));
    }

    /** As the scheduler kills for who is below its share: the application hears that it was preempted, and no attempt of the task counts as failed. */
    void evict(String container) {
        ContainerId id = ContainerId.fromString(container);
        AbstractYarnScheduler<?, ?> scheduler = (AbstractYarnScheduler<?, ?>) rmContext.getScheduler();
        RMContainer running = scheduler.getRMContainer(id);
        if (running != null) {
            evictions.increment();
            scheduler.completedContainer(
                    running,
                    SchedulerUtils.createPreemptedContainerStatus(
                            id, "the node was larger than configured, and its memory ran short"),
                    RMContainerEventType.KILL);
        }
    }

    /** Returns how many containers had to go. */
    long evictions() {
        return evictions.sum();
    }
}
