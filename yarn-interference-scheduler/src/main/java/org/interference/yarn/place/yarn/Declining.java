package org.interference.yarn.place.yarn;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.interference.yarn.place.Gate;
import org.interference.yarn.place.Matching;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.Placement;

/**
 * Whether a request is declined the node that the CapacityScheduler offers it, so that the parent goes on to the next request. Thread-safe; no
 * method throws.
 */
final class Declining {
    private final Placement placement;
    private final Gate gate;
    private final Requests requests;
    private final Fitting fitting;
    private final NodeNames names;
    private final Commits commits;
    private final WaitingAsks waiting;
    private final ThreadStates threads;
    private final InstantSource clock;

    Declining(
            Placement placement,
            Requests requests,
            Fitting fitting,
            NodeNames names,
            Commits commits,
            WaitingAsks waiting,
            ThreadStates threads,
            InstantSource clock) {
        this.placement = placement;
        this.gate = placement.gate();
        this.requests = requests;
        this.fitting = fitting;
        this.names = names;
        this.commits = commits;
        this.waiting = waiting;
        this.threads = threads;
        this.clock = clock;
    }

    /** Returns whether a container of this request is to go elsewhere, so that another request gets {@code node}. */
    boolean declines(InterferenceAppPlacementAllocator<?> asks, SchedulerNode node, SchedulingMode mode) {
        // Before anything is made for an answer that is mostly no. Who is to grow or be promoted is on its node
        // already.
        return placement.freeNodes().mayMatch()
                && asks.key().getContainerToUpdate() == null
                && gate.decide(() -> declinesNow(asks, node, mode), false);
    }

    private boolean declinesNow(InterferenceAppPlacementAllocator<?> asks, SchedulerNode node, SchedulingMode mode) {
        ThreadState thread = threads.current();
        gate.idle(thread.decides());
        thread.wentOnSince().ifPresent(gate::caused);
        if (thread.declined().isBehind(asks.attempt(), asks.key(), node) && waitsBehind(asks, node)) {
            return true;
        }
        if (isToBeEmptied(node)) {
            return false;
        }
        Resource ask = asks.getPendingAsk(ResourceRequest.ANY).getPerAllocationResource();
        boolean declines = fitting.fits(ask, node) ? declinesRoom(asks, node, mode, thread) : isKeptWaiting(asks);
        if (declines) {
            thread.declined().add(asks.attempt(), asks.key(), node);
            // Going on to the next request takes the parent as long as the decision: it is part of what the plugin
            // costs.
            thread.goesOn(gate.begin());
        }
        return declines;
    }

    private boolean declinesRoom(
            InterferenceAppPlacementAllocator<?> asks, SchedulerNode node, SchedulingMode mode, ThreadState thread) {
        // What the parent decides is accounted for in the background.
        if (!gate.hasTime()) {
            return false;
        }
        long began = gate.begin();
        commits.accountForSome();
        gate.spent(began);
        Instant now = clock.instant();
        Optional<Matching.Choice> choice = requests.of(asks).flatMap(request -> placement
                .freeNodes()
                .offered(
                        request,
                        names.of(node.getNodeID()),
                        now,
                        thread.visited(),
                        () -> waiting.others(asks, node, mode)));
        choice.flatMap(Matching.Choice::offered).ifPresent(offered -> thread.offered(asks, offered));
        boolean declines = choice.map(Matching.Choice::declines).orElse(false);
        // What has grown is nobody's: without it YARN would have reserved elsewhere, too.
        if (declines && !placement.freeNodes().isGrown(names.of(node.getNodeID()))) {
            asks.declined(now);
        }
        return declines;
    }

    /** Returns whether a request waits on for what its application rather has: for no longer than anybody is passed over. */
    private boolean waitsBehind(InterferenceAppPlacementAllocator<?> asks, SchedulerNode node) {
        return requests.of(asks)
                .filter(request ->
                        placement.freeNodes().isOverdueBehind(request, names.of(node.getNodeID()), clock.instant()))
                .isEmpty();
    }

    /**
     * Returns whether a request waits because of us: on a node without room for it YARN would reserve, which it would not have done had it
     * got the node that it was declined, and what is reserved is nobody's until containers there end.
     */
    private boolean isKeptWaiting(InterferenceAppPlacementAllocator<?> asks) {
        return asks.isKeptWaiting(gate.settings().match().maxWait(), clock.instant())
                && requests.of(asks)
                        .filter(request -> gate.mode(request.queue()) == Mode.ON)
                        .isPresent();
    }

    /** Returns whether containers are to be killed there for whoever is offered the node. */
    private static boolean isToBeEmptied(SchedulerNode node) {
        return node instanceof FiCaSchedulerNode capacity
                && !capacity.getKillableContainers().isEmpty();
    }
}
