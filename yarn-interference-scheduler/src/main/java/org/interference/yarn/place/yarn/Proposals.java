package org.interference.yarn.place.yarn;

import java.time.InstantSource;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerAllocationProposal;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.SchedulerContainer;
import org.interference.yarn.fault.Part;
import org.interference.yarn.place.Gate;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.Ranking;

/**
 * The containers that a scheduling thread has proposed, until they are committed or refused, perhaps by another thread. Thread-safe; no method
 * throws.
 */
public final class Proposals {
    private final Placement placement;
    private final Gate gate;
    private final NodeNames names;
    private final Commits commits;
    private final ThreadStates threads;
    private final InstantSource clock;
    private final AtomicLong count = new AtomicLong();
    /** By identity: YARN gives a container its id, on which equality rests, only when it commits. */
    private final Map<RMContainer, Proposal> proposals = Collections.synchronizedMap(new IdentityHashMap<>());

    /** @param id under which it is accounted for; empty for a choice of the parent's, which is accounted for when it is committed */
    private record Proposal(Optional<String> id, Commits.Origin origin) {}

    Proposals(Placement placement, NodeNames names, Commits commits, ThreadStates threads, InstantSource clock) {
        this.placement = placement;
        this.gate = placement.gate();
        this.names = names;
        this.commits = commits;
        this.threads = threads;
        this.clock = clock;
    }

    /**
     * Accounts for the containers that a scheduling thread has just proposed, before it proposes the next.
     *
     * @param told of each node, and what is proposed there
     */
    public <A extends SchedulerApplicationAttempt, N extends SchedulerNode> void proposed(
            ResourceCommitRequest<A, N> request, BiConsumer<N, Resource> told) {
        if (gate.isOff()) {
            return;
        }
        eachAllocated(request, container -> {
            told.accept(container.getSchedulerNode(), container.getRmContainer().getAllocatedResource());
            Commits.Origin origin = threads.current().origin(container);
            Optional<Ranking> ours = origin.ranking().filter(Ranking::reorders);
            if (ours.isEmpty()) {
                proposals.put(container.getRmContainer(), new Proposal(Optional.empty(), origin));
                return;
            }
            // Before the next one is ranked.
            long began = gate.begin();
            String id = "proposal-" + count.incrementAndGet();
            proposals.put(container.getRmContainer(), new Proposal(Optional.of(id), origin));
            placement.proposed(id, node(container), ours.get().request(), clock.instant());
            gate.spent(began);
        });
    }

    /**
     * Records the containers that YARN has committed, or takes back those that it has not.
     *
     * @param refused told of each node that has not got what was proposed there
     */
    public <A extends SchedulerApplicationAttempt, N extends SchedulerNode> void concluded(
            ResourceCommitRequest<A, N> request, boolean committed, Consumer<NodeId> refused) {
        eachAllocated(request, container -> {
            Proposal proposal = proposals.remove(container.getRmContainer());
            if (!committed) {
                refused.accept(container.getSchedulerNode().getNodeID());
            }
            if (proposal == null && (!committed || gate.isOff())) {
                return;
            }
            Optional<String> id = Optional.ofNullable(proposal).flatMap(Proposal::id);
            if (committed) {
                Commits.Origin origin = proposal == null ? Commits.Origin.notRanked() : proposal.origin();
                commits.add(container.getRmContainer(), id, origin, clock.instant());
            } else {
                id.ifPresent(accounted -> placement.dropped(accounted, node(container)));
            }
        });
    }

    private <A extends SchedulerApplicationAttempt, N extends SchedulerNode> void eachAllocated(
            ResourceCommitRequest<A, N> request, Consumer<SchedulerContainer<A, N>> action) {
        gate.faults().safely(Part.ACCOUNTING, () -> {
            if (request == null || request.getContainersToAllocate() == null) {
                return;
            }
            for (ContainerAllocationProposal<A, N> proposal : request.getContainersToAllocate()) {
                action.accept(proposal.getAllocatedOrReservedContainer());
            }
        });
    }

    private String node(SchedulerContainer<?, ?> container) {
        return names.of(container.getSchedulerNode().getNodeID());
    }
}
