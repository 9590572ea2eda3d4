package org.interference.yarn.capacity.yarn;

import org.apache.hadoop.yarn.api.records.NodeState;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeResourceUpdateEvent;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.fault.Part;

/**
 * Hears on the ResourceManager's dispatcher what an administrator or an autoscaler gives a node, in the order in which YARN does it: when the node is looked at next, a size
 * of ours may have come after that, or be the same. Thread-safe; {@link #handle} returns, whatever happens.
 */
final class SizesOfOthers implements EventHandler<RMNodeEvent> {
    private final RMContext rmContext;
    private final KnownSizes sizes;
    private final Faults faults;

    SizesOfOthers(RMContext rmContext, KnownSizes sizes, Faults faults) {
        this.rmContext = rmContext;
        this.sizes = sizes;
        this.faults = faults;
    }

    @Override
    public void handle(RMNodeEvent event) {
        if (event instanceof RMNodeResourceUpdateEvent update && !Resizing.isOurs(update)) {
            faults.safely(Part.CAPACITY, () -> note(update));
        }
    }

    /** What YARN itself gives a node that is to leave is nobody's configuration. */
    private void note(RMNodeResourceUpdateEvent update) {
        RMNode node = rmContext.getRMNodes().get(update.getNodeId());
        if (node != null && node.getState() == NodeState.RUNNING) {
            sizes.given(update.getNodeId(), Sizes.of(update.getResourceOption().getResource()));
        }
    }
}
