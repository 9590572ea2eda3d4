package org.interference.yarn.capacity.yarn;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.interference.yarn.capacity.KindMemory;
import org.interference.yarn.capacity.MemoryEstimate;
import org.interference.yarn.capacity.RunningContainer;
import org.interference.yarn.capacity.Size;
import org.interference.yarn.place.Request;

/**
 * What is known of nodes between two decisions about their sizes, for scheduling threads: who is there by growth, and whether memory suffices for one more. A node's size alone does not say: on one
 * that is full whoever comes takes the place of somebody who left, and may use more. Thread-safe.
 */
final class GrownNodes {
    private final Function<RMContainer, Optional<Request>> asked;
    private final Map<NodeId, Seen> nodes = new ConcurrentHashMap<>();
    private final Set<NodeId> owing = ConcurrentHashMap.newKeySet();

    /**
     * One node as it was when it was decided about.
     *
     * @param running never changed
     * @param memory what is known of a request's kind, on this node
     * @param limitMb what containers may be expected to use together, MiB; empty before that was decided
     */
    private record Seen(
            IdentityHashMap<RMContainer, RunningContainer> running,
            Function<Request, Optional<KindMemory>> memory,
            OptionalDouble limitMb) {}

    /** @param asked as what a container was asked for; empty if its application is gone */
    GrownNodes(Function<RMContainer, Optional<Request>> asked) {
        this.asked = asked;
    }

    /**
     * Notes who is on a node.
     *
     * @param running not changed any more
     * @param memory what is known of a request's kind, on this node
     */
    void saw(
            NodeId node,
            IdentityHashMap<RMContainer, RunningContainer> running,
            Function<Request, Optional<KindMemory>> memory) {
        nodes.compute(
                node,
                (same, last) -> new Seen(running, memory, last == null ? OptionalDouble.empty() : last.limitMb()));
    }

    /** Notes what the containers of a node may be expected to use together, MiB. */
    void limit(NodeId node, double limitMb) {
        nodes.computeIfPresent(
                node, (same, last) -> new Seen(last.running(), last.memory(), OptionalDouble.of(limitMb)));
    }

    /** Forgets a node that has its configured size for good, or has left the cluster. */
    void forget(NodeId node) {
        nodes.remove(node);
        owing.remove(node);
    }

    /** Returns whether {@code container} was found to be on {@code node} by growth. */
    boolean isByGrowth(NodeId node, RMContainer container) {
        Seen seen = nodes.get(node);
        RunningContainer last = seen == null ? null : seen.running().get(container);
        return last != null && last.admittedByGrowth();
    }

    /** Returns what those have together that were on {@code node} by growth the last time, and still are. */
    Size byGrowth(NodeId node) {
        Seen seen = nodes.get(node);
        Size sum = Size.ZERO;
        for (Map.Entry<RMContainer, RunningContainer> one : seen == null
                ? Set.<Map.Entry<RMContainer, RunningContainer>>of()
                : seen.running().entrySet()) {
            if (one.getValue().admittedByGrowth() && one.getKey().getFinishTime() == 0) {
                sum = sum.plus(Sizes.of(one.getKey().getAllocatedResource()));
            }
        }
        return sum;
    }

    /**
     * Returns whether memory is expected to suffice for one more.
     *
     * @param newcomer empty if its application is gone
     * @param byGrowth whether it does not fit what is configured. If it does, it is owed what it is refused ({@link #owes})
     */
    boolean hasRoom(SchedulerNode node, Optional<Request> newcomer, Size request, boolean byGrowth) {
        Seen seen = nodes.get(node.getNodeID());
        if (seen == null || seen.limitMb().isEmpty()) {
            return !byGrowth;
        }
        MemoryEstimate expected =
                expected(seen, node.getCopiedListOfRunningContainers()).with(newcomer.flatMap(seen.memory()), request);
        boolean suffices = expected.mostMb() <= seen.limitMb().getAsDouble();
        if (!suffices && !byGrowth) {
            owing.add(node.getNodeID());
        }
        return suffices;
    }

    private MemoryEstimate expected(Seen seen, List<RMContainer> running) {
        MemoryEstimate expected = MemoryEstimate.NONE;
        for (RMContainer container : running) {
            RunningContainer known = seen.running().get(container);
            expected = known != null
                    ? expected.with(known)
                    : expected.with(
                            asked.apply(container).flatMap(seen.memory()), Sizes.of(container.getAllocatedResource()));
        }
        return expected;
    }

    /** Returns whether anybody was refused what is configured of {@code node} since this was asked the last time. */
    boolean owes(NodeId node) {
        return owing.remove(node);
    }
}
