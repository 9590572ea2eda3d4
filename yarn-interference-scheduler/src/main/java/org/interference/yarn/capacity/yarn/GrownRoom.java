package org.interference.yarn.capacity.yarn;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.interference.yarn.capacity.GovernorSettings;
import org.interference.yarn.capacity.Size;
import org.interference.yarn.place.yarn.InterferenceAppPlacementAllocator;
import org.interference.yarn.place.yarn.YarnPlacement;
import org.interference.yarn.place.yarn.YarnTasks;

/** Who may have what is free on a node because that is larger than it is configured: asked on scheduling threads, where mostly nothing is grown. Thread-safe; no method throws. */
public final class GrownRoom {
    private final RMContext rmContext;
    private final YarnPlacement placement;
    private final GrownNodes grown;
    private final Map<NodeId, KnownSize> sizes;
    private final Supplier<GovernorSettings> settings;

    /**
     * Knows nothing of its own.
     *
     * @param sizes of the nodes, by any thread
     * @param settings in force
     */
    GrownRoom(
            RMContext rmContext,
            YarnPlacement placement,
            GrownNodes grown,
            Map<NodeId, KnownSize> sizes,
            Supplier<GovernorSettings> settings) {
        this.rmContext = rmContext;
        this.placement = placement;
        this.grown = grown;
        this.sizes = sizes;
        this.settings = settings;
    }

    /**
     * Returns whether who asks gets no container of this size on {@code node}, because that is larger than it is configured: where he may have only what is configured, as his
     * ApplicationMaster waits or nodes do not grow for his queue, and that would be beyond it; and where memory might not suffice. Who is there by growth takes nothing of what is
     * configured; only memory that he uses already is not there.
     */
    public boolean keepsOff(InterferenceAppPlacementAllocator<?> asks, SchedulerNode node, Resource container) {
        KnownSize known = grown(node);
        return known != null && placement.stage().gate().decide(() -> isKeptOff(asks, known, node, container), false);
    }

    private boolean isKeptOff(
            InterferenceAppPlacementAllocator<?> asks, KnownSize known, SchedulerNode node, Resource container) {
        Size request = counted(Sizes.of(container));
        Size all = counted(Sizes.of(node.getAllocatedResource()));
        Size byGrowth = counted(grown.byGrowth(node.getNodeID()));
        boolean onlyGrown = isOnlyGrown(known, all, byGrowth, request);
        boolean fits = all.plus(request).fitsIn(Sizes.of(node.getTotalResource()));
        // Where a container was killed for somebody who may have only what is configured, what it leaves is not filled
        // again with what has grown. Where he does not fit at all, YARN reserves the node for him, and asks again.
        if (onlyGrown && (mayBeOnGrown(asks.attempt()) ? placement.wasPreempted(node) : fits)) {
            return true;
        }
        if (!request.fitsIn(counted(known.configured()))) {
            // YARN would reserve the node for it, and it could never stay.
            return true;
        }
        if (!fits) {
            return false;
        }
        if (!onlyGrown && byGrowth.equals(Size.ZERO)) {
            grown.comes(node.getNodeID());
            return false;
        }
        return !grown.hasRoom(node, placement.request(asks), request, onlyGrown);
    }

    /** Returns whether who asks may have only what is configured of {@code node}, and a container of this size would be beyond that. Notes nothing. */
    public boolean keepsToConfigured(
            InterferenceAppPlacementAllocator<?> asks, SchedulerNode node, Resource container) {
        KnownSize known = grown(node);
        return known != null
                && placement
                        .stage()
                        .gate()
                        .decide(
                                () -> isOnlyGrown(
                                                known,
                                                counted(Sizes.of(node.getAllocatedResource())),
                                                counted(grown.byGrowth(node.getNodeID())),
                                                counted(Sizes.of(container)))
                                        && !mayBeOnGrown(asks.attempt()),
                                false);
    }

    /**
     * Returns whether {@code node} is reserved for somebody who may have only what is configured of it, and has room for him only because it is larger. A scheduler that
     * asks nobody before it turns a reservation into a container is to leave it alone then.
     */
    public boolean isReservedForConfigured(SchedulerNode node) {
        KnownSize known = grown(node);
        RMContainer reserved = node.getReservedContainer();
        return known != null
                && reserved != null
                && placement.stage().gate().decide(() -> waitsForConfigured(known, node, reserved), false);
    }

    private boolean waitsForConfigured(KnownSize known, SchedulerNode node, RMContainer reserved) {
        Size request = counted(Sizes.of(reserved.getReservedResource()));
        Size all = counted(Sizes.of(node.getAllocatedResource()));
        SchedulerApplicationAttempt asks = attempt(reserved.getApplicationAttemptId());
        return asks != null
                && asks.getOutstandingAsksCount(reserved.getReservedSchedulerKey()) > 0
                && !mayBeOnGrown(reserved.getApplicationAttemptId())
                && request.fitsIn(counted(known.configured()))
                && all.plus(request).fitsIn(Sizes.of(node.getTotalResource()))
                && isOnlyGrown(known, all, counted(grown.byGrowth(node.getNodeID())), request);
    }

    /** Who is there by growth takes nothing of what is configured. */
    private static boolean isOnlyGrown(KnownSize known, Size all, Size byGrowth, Size request) {
        return known.configured().holdsOnlyGrown(all.minus(byGrowth), request);
    }

    private boolean mayBeOnGrown(ApplicationAttemptId application) {
        SchedulerApplicationAttempt asks = attempt(application);
        return asks == null
                || (!asks.isWaitingForAMContainer() && settings.get().growsFor(YarnTasks.path(asks.getQueue())));
    }

    private SchedulerApplicationAttempt attempt(ApplicationAttemptId application) {
        return ((AbstractYarnScheduler<?, ?>) rmContext.getScheduler()).getApplicationAttempt(application);
    }

    /** Returns whether the node of that name has room for the least that YARN allocates only because it is larger than it is configured. */
    boolean hasOnlyGrownFree(String name) {
        if (sizes.isEmpty()) {
            return false;
        }
        AbstractYarnScheduler<?, ?> scheduler = (AbstractYarnScheduler<?, ?>) rmContext.getScheduler();
        SchedulerNode node = scheduler.getSchedulerNode(NodeId.fromString(name));
        KnownSize known = node == null ? null : grown(node);
        return known != null
                && isOnlyGrown(
                        known,
                        counted(Sizes.of(node.getAllocatedResource())),
                        counted(grown.byGrowth(node.getNodeID())),
                        counted(Sizes.of(scheduler.getMinimumResourceCapability())));
    }

    /** Returns whether {@code node} has a size of ours that is larger than it is configured. */
    public boolean isGrown(SchedulerNode node) {
        return grown(node) != null;
    }

    /** Returns what is known of {@code node} if it has a size of ours that is larger than it is configured, else null: on scheduling threads, where mostly nothing is grown. */
    private KnownSize grown(SchedulerNode node) {
        KnownSize known = sizes.isEmpty() ? null : sizes.get(node.getNodeID());
        return known != null
                        && !known.asked().isEmpty()
                        && !Sizes.of(node.getTotalResource()).fitsIn(known.configured())
                ? known
                : null;
    }

    private Size counted(Size size) {
        return Sizes.countsCores(rmContext.getScheduler()) ? size : new Size(size.memoryMb(), 0);
    }
}
