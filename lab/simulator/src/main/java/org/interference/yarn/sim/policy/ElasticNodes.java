package org.interference.yarn.sim.policy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceOption;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeResourceUpdateEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.interference.yarn.capacity.Size;
import org.interference.yarn.place.yarn.Preempted;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.sim.engine.Insight;
import org.interference.yarn.sim.engine.ResourceManagerDriver;

/**
 * Gives the nodes of a simulation other sizes while it runs, by the event that {@code yarn rmadmin -updateNodeResource} causes, with the timeout that kills
 * nobody. Not thread-safe.
 */
final class ElasticNodes {
    /** No container is killed to make a node smaller. */
    private static final int KILL_NOBODY = -1;

    private static final Size CONTAINER = new Size(ResourceManagerDriver.SLOT_MEGABYTES, 1);

    private final AbstractYarnScheduler<?, ?> scheduler;
    private final Insight insight;
    private final Sizer sizer;
    private final Map<NodeId, Size> configured = new HashMap<>();
    private final Map<NodeId, Set<ContainerId>> grown = new HashMap<>();
    private final Map<NodeId, Set<ContainerId>> known = new HashMap<>();

    private ElasticNodes(AbstractYarnScheduler<?, ?> scheduler, Insight insight, Sizer sizer) {
        this.scheduler = scheduler;
        this.insight = insight;
        this.sizer = sizer;
    }

    /** Has {@code sizer} say once a second how large each node of {@code scheduler} is. */
    static void of(AbstractYarnScheduler<?, ?> scheduler, Insight insight, Sizer sizer) {
        ElasticNodes nodes = new ElasticNodes(scheduler, insight, sizer);
        insight.everySecond().accept(nodes::everySecond);
        if (scheduler instanceof MatchingFairScheduler matching) {
            matching.roomBy(nodes::hasRoom);
        }
    }

    private boolean hasRoom(SchedulerNode node, ApplicationAttemptId newcomer) {
        Size first = configured.get(node.getNodeID());
        if (first == null || size(node.getTotalResource()).fitsIn(first)) {
            return true;
        }
        Size byGrowth = byGrowth(node);
        boolean onlyGrown =
                first.holdsOnlyGrown(size(node.getAllocatedResource()).minus(byGrowth), CONTAINER);
        return (!onlyGrown && byGrowth.equals(Size.ZERO)) || sizer.hasRoom(node, first, newcomer);
    }

    /** Returns what those take who are there by growth. */
    private Size byGrowth(SchedulerNode node) {
        Set<ContainerId> known = grown.getOrDefault(node.getNodeID(), Set.of());
        Size sum = Size.ZERO;
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            if (known.contains(container.getContainerId())) {
                sum = sum.plus(size(container.getAllocatedResource()));
            }
        }
        return sum;
    }

    /** Returns whether the node of that name has room for one more only because it is larger than it is configured. */
    private boolean hasOnlyGrownFree(String name) {
        NodeId id = NodeId.fromString(name);
        SchedulerNode node = scheduler.getNodeTracker().getNode(id);
        Size first = configured.get(id);
        return node != null
                && first != null
                && first.holdsOnlyGrown(size(node.getAllocatedResource()).minus(byGrowth(node)), CONTAINER);
    }

    private void everySecond() {
        if (configured.isEmpty() && scheduler instanceof RestHost host) {
            host.restSources()
                    .ifPresent(sources -> sources.placement().freeNodes().grownBy(this::hasOnlyGrownFree));
        }
        Instant now = insight.clock().instant();
        List<SchedulerNode> nodes = new ArrayList<>(scheduler.getNodeTracker().getAllNodes());
        nodes.sort(Comparator.comparing(SchedulerNode::getNodeID));
        nodes.forEach(node -> resize(node, now));
    }

    private void resize(SchedulerNode node, Instant now) {
        Size has = size(node.getTotalResource());
        Size first = configured.computeIfAbsent(node.getNodeID(), id -> has);
        List<RMContainer> running = node.getCopiedListOfRunningContainers();
        Set<ContainerId> byGrowth = byGrowth(node.getNodeID(), first, running);
        Sizer.Answer answer = sizer.answer(new Sizer.Seen(node, first, has, running, byGrowth), now);
        if (!answer.size().equals(has)) {
            Resource size =
                    Resource.newInstance(answer.size().memoryMb(), answer.size().vcores());
            insight.toResourceManager()
                    .accept(new RMNodeResourceUpdateEvent(
                            node.getNodeID(), ResourceOption.newInstance(size, KILL_NOBODY)));
        }
        for (ContainerId evicted : answer.evicted()) {
            Preempted.kill(scheduler, evicted.toString(), "the node's memory ran short");
        }
    }

    /** Takes note of who came since the last time, and returns who is there only because the node was grown. */
    private Set<ContainerId> byGrowth(NodeId id, Size first, List<RMContainer> running) {
        Set<ContainerId> before = known.computeIfAbsent(id, same -> new HashSet<>());
        Set<ContainerId> byGrowth = grown.computeIfAbsent(id, same -> new HashSet<>());
        Set<ContainerId> all = new HashSet<>();
        running.forEach(container -> all.add(container.getContainerId()));
        before.retainAll(all);
        byGrowth.retainAll(all);
        Size used = Size.ZERO;
        List<RMContainer> newcomers = new ArrayList<>();
        for (RMContainer container : running) {
            if (before.contains(container.getContainerId())) {
                used = used.plus(size(container.getAllocatedResource()));
            } else {
                newcomers.add(container);
            }
        }
        newcomers.sort(Comparator.comparing(RMContainer::getContainerId));
        for (RMContainer newcomer : newcomers) {
            Size request = size(newcomer.getAllocatedResource());
            if (first.holdsOnlyGrown(used, request)) {
                byGrowth.add(newcomer.getContainerId());
            }
            used = used.plus(request);
        }
        before.addAll(all);
        if (used.fitsIn(first)) {
            byGrowth.clear();
        }
        return Set.copyOf(byGrowth);
    }

    /** Returns what the project counts of a resource. */
    static Size size(Resource resource) {
        return new Size(Math.max(0, resource.getMemorySize()), Math.max(0, resource.getVirtualCores()));
    }
}
