package org.interference.yarn.place.yarn;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NodeType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.activities.DiagnosticsCollector;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.PendingAsk;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSet;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.LocalityAppPlacementAllocator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.PendingAskUpdateResult;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.interference.yarn.place.Request;

/**
 * YARN's own allocator of one kind of request, with the candidate nodes in the order of predicted interference, and
 * without those that suit other requests better.
 *
 * <p>Without a running plugin, and after any failure of it, this is exactly its parent. YARN calls it on scheduling
 * threads under its locks, so nothing here blocks or calls back into YARN's write paths.
 */
public final class InterferenceAppPlacementAllocator<N extends SchedulerNode> extends LocalityAppPlacementAllocator<N> {

    /** Who asks, as it was when it was made: making it takes longer than a decision. */
    private volatile Asking asking;

    /** Since when it has been declined nodes, and has got none; null if it has not been. */
    private volatile Instant declinedSince;

    /**
     * A request, and what of it can change.
     *
     * @param queue that it was made for, by identity
     */
    private record Asking(Request request, SchedulerApplicationAttempt application, Queue queue) {
        @SuppressWarnings("ReferenceEquality") // The very queue that the application is in.
        boolean holds() {
            return application.getQueue() == queue
                    && application.isWaitingForAMContainer() == request.applicationMaster();
        }
    }

    @Override
    public Iterator<N> getPreferredNodeIterator(CandidateNodeSet<N> candidates) {
        Iterator<N> parents = super.getPreferredNodeIterator(candidates);
        return placement()
                .map(placement -> placement.order(this, candidates, parents))
                .orElse(parents);
    }

    /** Returns the request that is made here; empty if it has to be made anew. */
    Optional<Request> knownRequest() {
        Asking known = asking;
        return known != null && known.holds() ? Optional.of(known.request()) : Optional.empty();
    }

    void know(Request request, SchedulerApplicationAttempt application, Queue queue) {
        asking = new Asking(request, application, queue);
    }

    @Override
    public PendingAskUpdateResult updatePendingAsk(Collection<ResourceRequest> requests, boolean recovered) {
        PendingAskUpdateResult result = super.updatePendingAsk(requests, recovered);
        placement().ifPresent(placement -> placement.asked(this));
        return result;
    }

    @Override
    public boolean precheckNode(SchedulerNode node, SchedulingMode mode, Optional<DiagnosticsCollector> diagnostics) {
        if (!super.precheckNode(node, mode, diagnostics)) {
            return false;
        }
        Optional<YarnPlacement> placement = placement();
        if (mayNotHave(node)) {
            diagnostics.ifPresent(collector -> placement
                    .flatMap(known -> known.waitingGroup(attempt()))
                    .ifPresent(group -> collector.collect("interference", group.sentence())));
            return false;
        }
        boolean declines = placement.isPresent() && placement.get().declines(this, node, mode);
        if (declines) {
            diagnostics.ifPresent(
                    collector -> collector.collect("interference", "it suits another waiting task better"));
        }
        return !declines;
    }

    /** Where nodes are proposed first and committed later, others may have come in between. */
    @Override
    public boolean canAllocate(NodeType type, SchedulerNode node) {
        return !mayNotHave(node) && super.canAllocate(type, node);
    }

    /** For a scheduler that asks nothing else: who may not have the node that is offered asks for nothing. */
    @Override
    public PendingAsk getPendingAsk(String resourceName) {
        PendingAsk ask = super.getPendingAsk(resourceName);
        return ask.getCount() > 0
                        && rmContext.getScheduler() instanceof PlacementHost host
                        && host.restrictedOffer().filter(this::mayNotHave).isPresent()
                ? PendingAsk.ZERO
                : ask;
    }

    /**
     * Who is kept off grown space, an application that is kept away because a container of its was asked to leave, and one whose first containers are to start
     * together.
     */
    private boolean mayNotHave(SchedulerNode node) {
        return isKeptBack(node)
                || (rmContext.getScheduler() instanceof PlacementHost host && host.keepsOffGrown(this, node, size()));
    }

    /** Returns whether it may not have {@code node} whatever memory there is, so that nobody else need leave that to it. Where it is asked for, nothing is noted. */
    boolean isKeptFrom(SchedulerNode node) {
        return isKeptBack(node)
                || (rmContext.getScheduler() instanceof PlacementHost host
                        && host.keepsToConfigured(this, node, size()));
    }

    private boolean isKeptBack(SchedulerNode node) {
        return placement().filter(placement -> placement.keepsForGroup(this)).isPresent()
                || (rmContext.getScheduler() instanceof PlacementHost host && host.keepsFrom(attempt(), node));
    }

    private Resource size() {
        return super.getPendingAsk(ResourceRequest.ANY).getPerAllocationResource();
    }

    /** Returns whether its containers may be on {@code node}, by its partition alone. */
    boolean mayBeOn(SchedulerNode node, SchedulingMode mode) {
        return super.precheckNode(node, mode, Optional.empty());
    }

    @Override
    public ContainerRequest allocate(SchedulerRequestKey key, NodeType type, SchedulerNode node) {
        ContainerRequest request = super.allocate(key, type, node);
        declinedSince = null;
        if (rmContext.getScheduler() instanceof PlacementHost host) {
            host.allocated(this, node);
        }
        return request;
    }

    private Optional<YarnPlacement> placement() {
        return rmContext.getScheduler() instanceof PlacementHost host ? host.placement() : Optional.empty();
    }

    /** Notes that it is declined a node that has room for it. */
    void declined(Instant now) {
        if (declinedSince == null) {
            declinedSince = now;
        }
    }

    /** Returns whether it waits because it was declined nodes, and for no longer than {@code most} yet. */
    boolean isKeptWaiting(Duration most, Instant now) {
        Instant since = declinedSince;
        return since != null && now.isBefore(since.plus(most));
    }

    /** Returns who asks. */
    public ApplicationAttemptId attempt() {
        return appSchedulingInfo.getApplicationAttemptId();
    }

    SchedulerRequestKey key() {
        return schedulerRequestKey;
    }
}
