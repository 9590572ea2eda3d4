package org.interference.yarn.capacity.yarn;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
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
     * @param byGrowth who of them is there by growth
     * @param memory what is known of a request's kind, on this node
     * @param limitMb what containers may be expected to use together, MiB; empty before that was decided
     * @param newest what they were expected to use when that was last asked, since
     */
    private record Seen(
            IdentityHashMap<RMContainer, RunningContainer> running,
            List<RMContainer> byGrowth,
            Function<Request, Optional<KindMemory>> memory,
            OptionalDouble limitMb,
            AtomicReference<Expected> newest) {
        Seen with(OptionalDouble limit) {
            return new Seen(running, byGrowth, memory, limit, newest);
        }
    }

    /** What so many containers are expected to use: as nobody comes before it was asked for those who were there ({@link #hasRoom}) or forgotten ({@link #comes}), as many are the same. */
    private record Expected(int containers, MemoryEstimate memory) {}

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
        List<RMContainer> byGrowth = running.entrySet().stream()
                .filter(one -> one.getValue().admittedByGrowth())
                .map(Map.Entry::getKey)
                .toList();
        nodes.compute(
                node,
                (same, last) -> new Seen(
                        running,
                        byGrowth,
                        memory,
                        last == null ? OptionalDouble.empty() : last.limitMb(),
                        new AtomicReference<>()));
    }

    /** Notes what the containers of a node may be expected to use together, MiB. */
    void limit(NodeId node, double limitMb) {
        nodes.computeIfPresent(node, (same, last) -> last.with(OptionalDouble.of(limitMb)));
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
        for (RMContainer container : seen == null ? List.<RMContainer>of() : seen.byGrowth()) {
            if (container.getFinishTime() == 0) {
                sum = sum.plus(Sizes.of(container.getAllocatedResource()));
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
        MemoryEstimate expected = expected(seen, node).with(newcomer.flatMap(seen.memory()), request);
        boolean suffices = expected.mostMb() <= seen.limitMb().getAsDouble();
        if (!suffices && !byGrowth) {
            owing.add(node.getNodeID());
        }
        return suffices;
    }

    /** Notes that somebody may come who is asked for nothing. */
    void comes(NodeId node) {
        Seen seen = nodes.get(node);
        if (seen != null) {
            seen.newest().set(null);
        }
    }

    /** Many applications ask, one after the other. */
    private MemoryEstimate expected(Seen seen, SchedulerNode node) {
        int containers = node.getNumContainers();
        Expected newest = seen.newest().get();
        if (newest == null || newest.containers() != containers) {
            newest = new Expected(containers, expected(seen, node.getCopiedListOfRunningContainers()));
            seen.newest().set(newest);
        }
        return newest.memory();
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
