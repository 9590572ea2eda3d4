package org.interference.yarn.capacity.yarn;

import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.yarn.api.records.NodeId;
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

    /** By its class who hears of all such events knows ours. */
    private static final class Ours extends RMNodeResourceUpdateEvent {
        Ours(NodeId node, ResourceOption option) {
            super(node, option);
        }
    }

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
                .handle(new Ours(node.getNodeID(), ResourceOption.newInstance(resource, KILL_NOBODY)));
    }

    /** Returns whether it is by {@link #set} that a node is to have another size. */
    static boolean isOurs(RMNodeResourceUpdateEvent event) {
        return event instanceof Ours;
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
