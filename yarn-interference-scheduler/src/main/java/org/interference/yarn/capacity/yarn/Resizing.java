package org.interference.yarn.capacity.yarn;

import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceOption;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeResourceUpdateEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.interference.yarn.capacity.Size;
import org.interference.yarn.place.yarn.Preempted;

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

    /** Has a container go for want of memory, and returns whether it was still there. */
    boolean evict(String container) {
        AbstractYarnScheduler<?, ?> scheduler = (AbstractYarnScheduler<?, ?>) rmContext.getScheduler();
        boolean goes =
                Preempted.kill(scheduler, container, "the node was larger than configured, and its memory ran short");
        if (goes) {
            evictions.increment();
        }
        return goes;
    }

    /** Returns how many containers had to go. */
    long evictions() {
        return evictions.sum();
    }
}
