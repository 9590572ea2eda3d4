package org.interference.yarn.place.yarn;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.thirdparty.com.google.common.collect.Iterators;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerAllocationProposal;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.SchedulerContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSet;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.place.Candidate;
import org.interference.yarn.place.Locality;
import org.interference.yarn.place.Matching;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.Ranking;
import org.interference.yarn.place.Request;

/**
 * Orders the nodes of YARN's requests, and follows each placement from proposal to commit. Thread-safe; no method throws.
 *
 * <p>One scheduling thread ranks a request, and at once makes the proposal for it; another thread may commit that later.
 * So the newest ranking is kept per thread until its proposal is made, and then per container until the commit.
 */
public final class YarnPlacement {
    private final Placement placement;
    private final RMContext rmContext;
    private final InstantSource clock;

    /** Not a thread local: a thread that outlives its ResourceManager would keep all of it. */
    private final Map<Thread, Newest> newestByThread = new ConcurrentHashMap<>();

    /** Host and port of nodes, as YARN writes them; it writes them anew each time. */
    private final Map<NodeId, String> names = new ConcurrentHashMap<>();

    private final AtomicLong proposalCount = new AtomicLong();
    /** By identity: YARN gives a container its id, on which equality rests, only when it commits. */
    private final Map<RMContainer, Proposal> proposals = Collections.synchronizedMap(new IdentityHashMap<>());

    private final ConcurrentLinkedQueue<Unaccounted> unaccounted = new ConcurrentLinkedQueue<>();

    private record Unaccounted(RMContainer container, Ranking.Reason reason) {}

    /** Who asks, and has not got everything yet, by identity. */
    private final Set<InterferenceAppPlacementAllocator<?>> waiting = ConcurrentHashMap.newKeySet();

    /** @param id under which it is accounted for; empty for a choice of the parent's, which is accounted for when it is committed */
    private record Proposal(Optional<String> id, Ranking ranking) {}

    /** What one thread has ranked last, until it makes a proposal of it. */
    private static final class Newest {
        private Optional<Ranking> ranking = Optional.empty();
        private ApplicationAttemptId attempt;
        private SchedulerRequestKey key;

        private void set(InterferenceAppPlacementAllocator<?> who, Ranking what) {
            attempt = who.attempt();
            key = who.key();
            ranking = Optional.of(what);
        }

        private Optional<Ranking> take() {
            Optional<Ranking> taken = ranking;
            ranking = Optional.empty();
            return taken;
        }

        private boolean isOf(SchedulerContainer<?, ?> container) {
            return container
                            .getSchedulerApplicationAttempt()
                            .getApplicationAttemptId()
                            .equals(attempt)
                    && container.getSchedulerRequestKey().equals(key);
        }
    }

    public YarnPlacement(Placement placement, RMContext rmContext, InstantSource clock) {
        this.placement = placement;
        this.rmContext = rmContext;
        this.clock = clock;
    }

    /** Returns the candidates in our order, or in {@code parents}, of which nothing is lost if ranking fails. */
    <N extends SchedulerNode> Iterator<N> order(
            InterferenceAppPlacementAllocator<N> asks, CandidateNodeSet<N> candidates, Iterator<N> parents) {
        if (placement.isOff()) {
            return parents;
        }
        if (candidates instanceof OfferedNode<N> offer) {
            List<N> best = best(asks, offer.choices().iterator());
            // If nothing fits, YARN reserves on the node that it offered.
            return best.isEmpty()
                    ? parents
                    : Iterators.concat(
                            best.iterator(), best.contains(offer.node()) ? Collections.emptyIterator() : parents);
        }
        if (candidates.getAllNodes().size() == 1) {
            noted(asks, placement.hasTime() ? Ranking.Reason.PARENT_SINGLE_NODE : Ranking.Reason.PARENT_NO_TIME);
            return parents;
        }
        // No more is taken of the parent's order than can be ranked; on the last of the rest YARN reserves, as it
        // would.
        Set<N> rest = new LinkedHashSet<>();
        List<N> best = best(asks, Iterators.transform(parents, node -> {
            rest.add(node);
            return node;
        }));
        best.forEach(rest::remove);
        return Iterators.concat(best.iterator(), rest.iterator(), parents);
    }

    /**
     * Takes nodes until as many fit as are ranked.
     *
     * @return those that fit, the best first; empty if the parent's order is to stay
     */
    private <N extends SchedulerNode> List<N> best(InterferenceAppPlacementAllocator<N> asks, Iterator<N> nodes) {
        long began = placement.begin();
        try {
            Newest newest = newest();
            newest.take();
            Optional<Request> request = request(asks);
            if (request.isEmpty()) {
                return List.of();
            }
            Map<String, N> fitting = new HashMap<>();
            Instant now = clock.instant();
            Ranking ranking = placement.rank(request.get(), now, () -> candidates(asks, nodes, fitting, now));
            newest.set(asks, ranking);
            return ranking.reorders()
                    ? ranking.verdicts().stream()
                            .map(verdict -> fitting.get(verdict.node()))
                            .toList()
                    : List.of();
        } catch (Throwable e) {
            placement.failed(e);
            return List.of();
        } finally {
            placement.spent(began);
        }
    }

    private <N extends SchedulerNode> List<Candidate> candidates(
            AppPlacementAllocator<N> asks, Iterator<N> nodes, Map<String, N> fitting, Instant now) {
        Resource ask = asks.getPendingAsk(ResourceRequest.ANY).getPerAllocationResource();
        boolean prefersPlaces = asks.getUniqueLocationAsks() > 1;
        List<Candidate> candidates = new ArrayList<>();
        while (nodes.hasNext() && candidates.size() < placement.maxCandidates()) {
            N node = nodes.next();
            if (node.getReservedContainer() == null && Resources.fitsIn(ask, node.getUnallocatedResource())) {
                String id = name(node.getNodeID());
                fitting.put(id, node);
                candidates.add(new Candidate(
                        id,
                        true,
                        prefersPlaces ? locality(asks, node) : Locality.NO_PREFERENCE,
                        placement.load(id, now)));
            }
        }
        return candidates;
    }

    /** Returns among how many nodes that are offered one after the other a request may choose; 1 if each is decided alone. */
    public int choices() {
        return placement.choices();
    }

    /** Returns whether what the parent offers may be held back until there is more to choose from. */
    boolean mayHoldBack() {
        return placement.mayHoldBack(clock.instant());
    }

    /** Returns whether a container of this request is to go elsewhere, so that another request gets {@code node}. */
    boolean declines(InterferenceAppPlacementAllocator<?> asks, SchedulerNode node) {
        // Before anything is made for an answer that is mostly no.
        if (!placement.mayDecline()) {
            return false;
        }
        try {
            Resource ask = asks.getPendingAsk(ResourceRequest.ANY).getPerAllocationResource();
            return Resources.fitsIn(ask, node.getUnallocatedResource())
                    && request(asks)
                            .map(request ->
                                    placement.declines(request, name(node.getNodeID()), clock.instant(), this::waiting))
                            .orElse(false);
        } catch (Throwable e) {
            placement.failed(e);
            return false;
        }
    }

    /** Returns how many containers an application may be ahead and still be served first; 0 if the parent's order is to stay. */
    public int containersAhead() {
        return placement.containersAhead();
    }

    /** Returns as whom {@code application} is matched with what it asks for under {@code key}; empty if it is left to the parent. */
    public Optional<Matching.Contender> contender(SchedulerApplicationAttempt application, SchedulerRequestKey key) {
        try {
            return request(application.getApplicationAttemptId(), key)
                    .flatMap(request -> placement.contender(request, clock.instant()));
        } catch (Throwable e) {
            placement.failed(e);
            return Optional.empty();
        }
    }

    /**
     * Returns who gets {@code node}.
     *
     * @param waiting who may be served, in the parent's order
     */
    public Matching.Choice choose(List<Matching.Contender> waiting, SchedulerNode node) {
        return placement.choose(waiting, name(node.getNodeID()), clock.instant());
    }

    /** Returns whether all queues are off. */
    public boolean isOff() {
        return placement.isOff();
    }

    /** Returns what {@code decision} returns, and counts the time that it takes. */
    public <T> T timed(Supplier<T> decision) {
        long began = placement.begin();
        try {
            return decision.get();
        } finally {
            placement.spent(began);
        }
    }

    /** Returns the time by the plugin's clock. */
    public Instant now() {
        return clock.instant();
    }

    /** Counts what a scheduler's own part of the plugin has thrown. */
    public void failed(Throwable e) {
        placement.failed(e);
    }

    /**
     * Takes note of containers that a scheduler without proposals has allocated. Those that were matched are accounted for at once, before
     * the next one is; the parent's by {@link #sweep}, because a scheduling thread has more urgent things to do.
     */
    public void allocated(List<RMContainer> containers, Ranking.Reason reason) {
        if (placement.isOff()) {
            return;
        }
        for (RMContainer container : containers) {
            if (reason == Ranking.Reason.MATCHED) {
                account(container, reason);
            } else {
                unaccounted.add(new Unaccounted(container, reason));
            }
        }
    }

    private void account(RMContainer container, Ranking.Reason reason) {
        try {
            accounted(container, reason);
        } catch (Throwable e) {
            placement.failed(e);
        }
    }

    private void accounted(RMContainer container, Ranking.Reason reason) {
        Optional<Request> request = request(container.getApplicationAttemptId(), container.getAllocatedSchedulerKey());
        if (request.isEmpty()) {
            return;
        }
        Instant now = clock.instant();
        String id = container.getContainerId().toString();
        String node = name(container.getAllocatedNode());
        Request known = container.isAMContainer() && !request.get().applicationMaster()
                ? request.get().asMaster()
                : request.get();
        if (placement.mayMatch()) {
            placement.proposed(id, node, known, now);
        }
        placement.committed(id, node, parents(known, reason), now);
    }

    /** Notes that there may be containers to wait for. */
    void asked(InterferenceAppPlacementAllocator<?> asks) {
        if (placement.mayDecline()) {
            waiting.add(asks);
        }
    }

    /** Accounts for what waits to be, and forgets who waits no more, and which nodes are gone: they say nothing. */
    public void sweep() {
        for (Unaccounted next = unaccounted.poll(); next != null; next = unaccounted.poll()) {
            account(next.container(), next.reason());
        }
        waiting();
        names.keySet().retainAll(rmContext.getRMNodes().keySet());
        newestByThread.keySet().removeIf(thread -> !thread.isAlive());
    }

    private List<Request> waiting() {
        List<Request> requests = new ArrayList<>();
        waiting.removeIf(asks -> {
            Optional<Request> request =
                    asks.getOutstandingAsksCount(ResourceRequest.ANY) > 0 ? request(asks) : Optional.empty();
            request.filter(known -> !known.applicationMaster()).ifPresent(requests::add);
            // It says so when it asks again.
            return request.isEmpty();
        });
        return requests;
    }

    /**
     * Accounts for the containers that a scheduling thread has just proposed, before it proposes the next.
     *
     * @param told of each node, and what is proposed there
     */
    public <A extends SchedulerApplicationAttempt, N extends SchedulerNode> void proposed(
            ResourceCommitRequest<A, N> request, BiConsumer<N, Resource> told) {
        if (placement.isOff()) {
            return;
        }
        eachAllocated(request, container -> {
            told.accept(container.getSchedulerNode(), container.getRmContainer().getAllocatedResource());
            Ranking ranking = rankingOfThisThread(container);
            if (!ranking.reorders()) {
                proposals.put(container.getRmContainer(), new Proposal(Optional.empty(), ranking));
                return;
            }
            // Before the next one is ranked.
            String id = "proposal-" + proposalCount.incrementAndGet();
            proposals.put(container.getRmContainer(), new Proposal(Optional.of(id), ranking));
            placement.proposed(id, node(container), ranking.request(), clock.instant());
        });
    }

    /** Records the containers that YARN has committed, or takes back those that it has not. */
    public <A extends SchedulerApplicationAttempt, N extends SchedulerNode> void concluded(
            ResourceCommitRequest<A, N> request, boolean committed) {
        eachAllocated(request, container -> {
            Proposal proposal = proposals.remove(container.getRmContainer());
            if (proposal == null && (!committed || placement.isOff())) {
                return;
            }
            String node = node(container);
            Optional<String> accounted = Optional.ofNullable(proposal).flatMap(Proposal::id);
            if (!committed) {
                accounted.ifPresent(proposed -> placement.dropped(proposed, node));
                return;
            }
            Instant now = clock.instant();
            String id = container.getRmContainer().getContainerId().toString();
            Ranking ranking = proposal == null ? notRanked(container) : proposal.ranking();
            accounted.ifPresentOrElse(
                    proposed -> placement.confirmed(proposed, id, node),
                    () -> placement.proposed(id, node, ranking.request(), now));
            placement.committed(id, node, ranking, now);
        });
    }

    private <A extends SchedulerApplicationAttempt, N extends SchedulerNode> void eachAllocated(
            ResourceCommitRequest<A, N> request, Consumer<SchedulerContainer<A, N>> action) {
        try {
            if (request == null || request.getContainersToAllocate() == null) {
                return;
            }
            for (ContainerAllocationProposal<A, N> proposal : request.getContainersToAllocate()) {
                action.accept(proposal.getAllocatedOrReservedContainer());
            }
        } catch (Throwable e) {
            placement.failed(e);
        }
    }

    private Ranking rankingOfThisThread(SchedulerContainer<?, ?> container) {
        Newest newest = newest();
        return newest.take().filter(ranking -> newest.isOf(container)).orElseGet(() -> notRanked(container));
    }

    private Newest newest() {
        return newestByThread.computeIfAbsent(Thread.currentThread(), thread -> new Newest());
    }

    /** Notes that the parent decides. */
    private void noted(InterferenceAppPlacementAllocator<?> asks, Ranking.Reason reason) {
        try {
            Newest newest = newest();
            newest.take();
            request(asks).ifPresent(request -> newest.set(asks, parents(request, reason)));
        } catch (Throwable e) {
            placement.failed(e);
        }
    }

    private Ranking notRanked(SchedulerContainer<?, ?> container) {
        return parents(request(container), Ranking.Reason.PARENT_NOT_RANKED);
    }

    private Ranking parents(Request request, Ranking.Reason reason) {
        return new Ranking(request, placement.mode(request.queue()), reason, Optional.empty(), List.of());
    }

    private Request request(SchedulerContainer<?, ?> container) {
        ApplicationAttemptId attempt =
                container.getSchedulerApplicationAttempt().getApplicationAttemptId();
        return request(attempt, container.getSchedulerRequestKey())
                .orElseThrow(() -> new IllegalStateException("unknown application of attempt " + attempt));
    }

    private Optional<Request> request(InterferenceAppPlacementAllocator<?> asks) {
        Optional<Request> known = asks.knownRequest();
        return known.isPresent() ? known : request(asks.attempt(), asks.key());
    }

    private Optional<Request> request(ApplicationAttemptId attempt, SchedulerRequestKey key) {
        RMApp app = rmContext.getRMApps().get(attempt.getApplicationId());
        SchedulerApplicationAttempt scheduled =
                ((AbstractYarnScheduler<?, ?>) rmContext.getScheduler()).getApplicationAttempt(attempt);
        if (app == null || scheduled == null) {
            return Optional.empty();
        }
        boolean applicationMaster = scheduled.isWaitingForAMContainer();
        AppPlacementAllocator<?> allocator = scheduled.getAppSchedulingInfo().getAppPlacementAllocator(key);
        if (!(allocator instanceof InterferenceAppPlacementAllocator<?> asks)) {
            return Optional.of(YarnTasks.request(app, scheduled, key, applicationMaster));
        }
        Optional<Request> known = asks.knownRequest();
        if (known.isPresent()) {
            return known;
        }
        Queue queue = scheduled.getQueue();
        Request request = YarnTasks.request(app, scheduled, key, applicationMaster);
        asks.know(request, scheduled, queue);
        return Optional.of(request);
    }

    private static Locality locality(AppPlacementAllocator<?> asks, SchedulerNode node) {
        if (asks.getOutstandingAsksCount(node.getNodeName()) > 0) {
            return Locality.NODE_LOCAL;
        }
        return asks.getOutstandingAsksCount(node.getRackName()) > 0 ? Locality.RACK_LOCAL : Locality.OFF_SWITCH;
    }

    private String node(SchedulerContainer<?, ?> container) {
        return name(container.getSchedulerNode().getNodeID());
    }

    private String name(NodeId node) {
        return names.computeIfAbsent(node, NodeId::toString);
    }
}
