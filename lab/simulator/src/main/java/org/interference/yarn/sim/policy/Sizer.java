package org.interference.yarn.sim.policy;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.interference.yarn.capacity.Size;

/** Says how large a node should be. */
interface Sizer {
    /** Returns what {@code node} should have; asked of every node once in every virtual second. */
    Answer answer(Seen node, Instant now);

    /** Returns whether {@code newcomer} may be placed on {@code node}, where somebody is by growth, or would be; asked by schedulers that know who uses how much. */
    default boolean hasRoom(SchedulerNode node, Size configured, ApplicationAttemptId newcomer) {
        return true;
    }

    /**
     * What is to be done with a node.
     *
     * @param size that it is to have from now on
     * @param evicted containers that have to go
     */
    record Answer(Size size, List<ContainerId> evicted) {
        static Answer of(Size size) {
            return new Answer(size, List.of());
        }
    }

    /**
     * A node as its scheduler sees it.
     *
     * @param configured with which it registered
     * @param now what the scheduler takes it for
     * @param grown of those that run, who is there only because it was grown
     */
    record Seen(SchedulerNode node, Size configured, Size now, List<RMContainer> running, Set<ContainerId> grown) {
        String name() {
            return node.getNodeID().toString();
        }

        Size used() {
            return running.stream()
                    .map(container -> ElasticNodes.size(container.getAllocatedResource()))
                    .reduce(Size.ZERO, Size::plus);
        }
    }
}
