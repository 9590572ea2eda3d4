package org.interference.yarn.place.yarn;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
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
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.apache.hadoop.thirdparty.com.google.common.collect.Iterators;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NewestContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ContainerAllocationProposal;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.ResourceCommitRequest;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.SchedulerContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.common.fica.FiCaSchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSet;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.fault.Part;
import org.interference.yarn.place.Candidate;
import org.interference.yarn.place.Locality;
import org.interference.yarn.place.Matching;
import org.interference.yarn.place.Mode;
import org.interference.yarn.place.Offered;
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
    private final Requests requests;
    private final Commits commits;

    /** Not a thread local: a thread that outlives its ResourceManager would keep all of it. */
    private final Map<Thread, Newest> newestByThread = new ConcurrentHashMap<>();

    /** Host and port of nodes, as YARN writes them; it writes them anew each time. */
    private final Map<NodeId, String> names = new ConcurrentHashMap<>();

    private final AtomicLong proposalCount = new AtomicLong();
    /** By identity: YARN gives a container its id, on which equality rests, only when it commits. */
    private final Map<RMContainer, Proposal> proposals = Collections.synchronizedMap(new IdentityHashMap<>());

    private final WaitingAsks waiting;

    /** @param id under which it is accounted for; empty for a choice of the parent's, which is accounted for when it is committed */
    private record Proposal(Optional<String> id, Commits.Origin origin) {}

    /** What one thread has decided last, until it makes a proposal of it. */
    private static final class Newest {
        private Optional<Commits.Origin> origin = Optional.empty();
        private Optional<Offered> offered = Optional.empty();
        private final DeclinedAsks declined = new DeclinedAsks();
        private final Matching.Visited visited = new Matching.Visited();
        private ApplicationAttemptId attempt;
        private SchedulerRequestKey key;

        private void set(InterferenceAppPlacementAllocator<?> who, Commits.Origin what) {
            attempt = who.attempt();
            key = who.key();
            origin = Optional.of(what);
            offered = Optional.empty();
        }

        /** Notes what was decided when a node was offered to {@code who}, after all else. */
        private void offered(InterferenceAppPlacementAllocator<?> who, Offered what) {
            if (origin.isPresent() && who.attempt().equals(attempt) && who.key().equals(key)) {
                offered = Optional.of(what);
                if (what.mode() == Mode.ON && origin.get().reason() == Ranking.Reason.PARENT_SINGLE_NODE) {
                    origin = Optional.of(Commits.Origin.of(Ranking.Reason.MATCHED, who));
                }
            }
        }

        private Optional<Commits.Origin> take() {
            Optional<Commits.Origin> taken = origin.map(known -> known.with(offered));
            origin = Optional.empty();
            offered = Optional.empty();
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

    /** @param background what accounts for containers that no decision waits for */
    public YarnPlacement(Placement placement, RMContext rmContext, InstantSource clock, Executor background) {
        this.placement = placement;
        this.rmContext = rmContext;
        this.clock = clock;
        this.requests = new Requests(rmContext);
        this.waiting = new WaitingAsks(placement, rmContext, requests, clock, background);
        this.commits = new Commits(placement, requests, this::name, background);
    }

    /** Returns the candidates in our order, or in {@code parents}, of which nothing is lost if ranking fails. */
    <N extends SchedulerNode> Iterator<N> order(
            InterferenceAppPlacementAllocator<N> asks, CandidateNodeSet<N> candidates, Iterator<N> parents) {
        if (placement.isOff()) {
            return parents;
        }
        if (candidates instanceof OfferedNode<N> offer) {
            return order(asks, offer, parents);
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

    private <N extends SchedulerNode> Iterator<N> order(
            InterferenceAppPlacementAllocator<N> asks, OfferedNode<N> offer, Iterator<N> parents) {
        List<N> best = best(asks, offer.choices().iterator());
        // If nothing fits, YARN reserves on the node that it offered.
        Iterator<N> order = best.isEmpty()
                ? parents
                : Iterators.concat(
                        best.iterator(), best.contains(offer.node()) ? Collections.emptyIterator() : parents);
        SchedulerApplicationAttempt application = prefersPlaces(asks) ? requests.scheduled(asks.attempt()) : null;
        return application == null
                ? order
                : new Opportunities<>(Iterators.transform(order, offer::visit), asks, application, asks.key());
    }

    private static boolean prefersPlaces(AppPlacementAllocator<?> asks) {
        return asks.getUniqueLocationAsks() > 1;
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
            Optional<Request> request = requests.of(asks);
            if (request.isEmpty()) {
                return List.of();
            }
            commits.accountForSome();
            Map<String, N> fitting = new HashMap<>();
            Instant now = clock.instant();
            Ranking ranking = placement.rank(request.get(), now, () -> candidates(asks, nodes, fitting, now, began));
            newest.set(asks, Commits.Origin.of(ranking));
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
            AppPlacementAllocator<N> asks, Iterator<N> nodes, Map<String, N> fitting, Instant now, long began) {
        Resource ask = asks.getPendingAsk(ResourceRequest.ANY).getPerAllocationResource();
        boolean prefersPlaces = prefersPlaces(asks);
        List<Candidate> candidates = new ArrayList<>();
        // Of a full cluster hardly a node fits, and multi-node placement offers all of them.
        while (candidates.size() < placement.maxCandidates() && !placement.isHalfOver(began) && nodes.hasNext()) {
            N node = nodes.next();
            if (node.getReservedContainer() == null && fits(ask, node)) {
                String id = name(node.getNodeID());
                fitting.put(id, node);
                candidates.add(new Candidate(
                        id,
                        true,
                        prefersPlaces ? locality(asks, node) : Locality.NO_PREFERENCE,
                        placement.load(id, now),
                        () -> placement.company(id, () -> containers(node), now),
                        placement.measuredAt(id)));
            }
        }
        return candidates;
    }

    private static Collection<String> containers(SchedulerNode node) {
        List<String> ids = new ArrayList<>();
        for (RMContainer container : node.getCopiedListOfRunningContainers()) {
            ids.add(container.getContainerId().toString());
        }
        return ids;
    }

    /** By the scheduler's own calculator: YARN's default one lets containers have more cores than there are. */
    private boolean fits(Resource ask, SchedulerNode node) {
        return Resources.fitsIn(rmContext.getScheduler().getResourceCalculator(), ask, node.getUnallocatedResource());
    }

    /** Returns among how many tasks that wait a node may choose; 1 if the parent's order is to stay. */
    public int choices() {
        return placement.choices();
    }

    /**
     * Returns among how many nodes that are offered one after the other a request may choose; 1 if each is decided alone: also while
     * several kinds of tasks wait, for then each node goes to whom it suits.
     */
    int nodeChoices() {
        int choices = placement.choices();
        return choices > 1 && placement.mayDecline() && waiting.areOfSeveralKinds() ? 1 : choices;
    }

    /** Notes that this thread visits a node, or all of them, anew. */
    public void visiting() {
        Newest known = newestByThread.get(Thread.currentThread());
        if (known != null) {
            known.declined.forget();
            known.visited.forget();
        }
    }

    /** Returns whether what the parent offers may be held back until there is more to choose from. */
    boolean mayHoldBack() {
        return placement.mayHoldBack(clock.instant());
    }

    /** Returns whether a container of this request is to go elsewhere, so that another request gets {@code node}. */
    boolean declines(InterferenceAppPlacementAllocator<?> asks, SchedulerNode node, SchedulingMode mode) {
        // Before anything is made for an answer that is mostly no.
        if (!placement.mayDecline()) {
            return false;
        }
        try {
            Newest newest = newest();
            if (newest.declined.isBehind(asks.attempt(), asks.key(), node)) {
                return true;
            }
            if (isToBeEmptied(node)) {
                return false;
            }
            Resource ask = asks.getPendingAsk(ResourceRequest.ANY).getPerAllocationResource();
            boolean declines = fits(ask, node) ? declinesRoom(asks, node, mode, newest) : isKeptWaiting(asks);
            if (declines) {
                newest.declined.add(asks.attempt(), asks.key(), node);
            }
            return declines;
        } catch (Throwable e) {
            placement.failed(e);
            return false;
        }
    }

    private boolean declinesRoom(
            InterferenceAppPlacementAllocator<?> asks, SchedulerNode node, SchedulingMode mode, Newest newest) {
        long began = placement.begin();
        commits.accountForSome();
        placement.spent(began);
        Instant now = clock.instant();
        Optional<Matching.Choice> choice = requests.of(asks)
                .flatMap(request -> placement.offered(
                        request, name(node.getNodeID()), now, newest.visited, () -> waiting.others(asks, node, mode)));
        choice.flatMap(Matching.Choice::offered).ifPresent(offered -> newest.offered(asks, offered));
        boolean declines = choice.map(Matching.Choice::declines).orElse(false);
        if (declines) {
            asks.declined(now);
        }
        return declines;
    }

    /**
     * Returns whether a request waits because of us: on a node without room for it YARN would reserve, which it would not have done had it
     * got the node that it was declined, and what is reserved is nobody's until containers there end.
     */
    private boolean isKeptWaiting(InterferenceAppPlacementAllocator<?> asks) {
        return asks.isKeptWaiting(placement.settings().match().maxWait(), clock.instant())
                && requests.of(asks)
                        .filter(request -> placement.mode(request.queue()) == Mode.ON)
                        .isPresent();
    }

    /** Returns whether containers are to be killed there for whoever is offered the node. */
    private static boolean isToBeEmptied(SchedulerNode node) {
        return node instanceof FiCaSchedulerNode capacity
                && !capacity.getKillableContainers().isEmpty();
    }

    /** Returns how many containers an application may be ahead and still be served first; 0 if the parent's order is to stay. */
    public int containersAhead() {
        return placement.containersAhead();
    }

    /** Returns as whom {@code application} is matched with what it asks for under {@code key}; empty if it is left to the parent. */
    public Optional<Matching.Contender> contender(SchedulerApplicationAttempt application, SchedulerRequestKey key) {
        try {
            return requests.of(application.getApplicationAttemptId(), key)
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
     * @param attempts and their keys, in the same order: what each asks
     * @param mayBeLeft whether the node may stay as it is for a while
     */
    public Matching.Choice choose(
            List<Matching.Contender> waiting,
            IntFunction<ApplicationAttemptId> attempts,
            IntFunction<SchedulerRequestKey> keys,
            SchedulerNode node,
            boolean mayBeLeft) {
        commits.accountForSome();
        return placement.choose(
                waiting,
                who -> requests.of(attempts.apply(who), keys.apply(who)),
                name(node.getNodeID()),
                mayBeLeft,
                clock.instant());
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

    /** Takes note of what a scheduler's own part of a decision has thrown. */
    public void failed(Throwable e) {
        placement.failed(e);
    }

    /** Takes note of what has been thrown where nothing is decided. */
    public void failed(Part part, Throwable e) {
        placement.faults().note(part, e);
    }

    /**
     * Takes note of the container that a scheduler without proposals has just allocated on {@code node} to {@code application}.
     *
     * @param offered what was decided about the node
     * @return false if there is none: YARN also cancels requests by allocating them
     */
    public boolean allocated(
            InterferenceAppPlacementAllocator<?> asks,
            SchedulerApplicationAttempt application,
            SchedulerNode node,
            Ranking.Reason reason,
            Optional<Offered> offered) {
        if (placement.isOff()) {
            return false;
        }
        Optional<RMContainer> container = NewestContainer.of(application)
                .filter(newest -> newest.getAllocatedNode().equals(node.getNodeID())
                        && newest.getAllocatedSchedulerKey().equals(asks.key()));
        container.ifPresent(newest -> commits.add(
                newest, Optional.empty(), Commits.Origin.of(reason, asks).with(offered), clock.instant()));
        return container.isPresent();
    }

    /** Returns whether nodes are given to whom they suit best, if there is time for it. */
    public boolean mayMatch() {
        return placement.mayMatch();
    }

    /** Notes that there may be containers to wait for. */
    void asked(InterferenceAppPlacementAllocator<?> asks) {
        if (placement.mayDecline()) {
            waiting.asked(asks);
        }
    }

    /** Accounts for everything that YARN has committed. */
    public void accountForAll() {
        commits.accountForAll();
    }

    /** Accounts for what waits to be, and forgets who waits no more, and which nodes are gone: they say nothing. */
    public void sweep() {
        commits.accountForAll();
        waiting.look();
        names.keySet().retainAll(rmContext.getRMNodes().keySet());
        newestByThread.keySet().removeIf(thread -> !thread.isAlive());
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
            Commits.Origin origin = originOnThisThread(container);
            Optional<Ranking> ours = origin.ranking().filter(Ranking::reorders);
            if (ours.isEmpty()) {
                proposals.put(container.getRmContainer(), new Proposal(Optional.empty(), origin));
                return;
            }
            // Before the next one is ranked.
            long began = placement.begin();
            String id = "proposal-" + proposalCount.incrementAndGet();
            proposals.put(container.getRmContainer(), new Proposal(Optional.of(id), origin));
            placement.proposed(id, node(container), ours.get().request(), clock.instant());
            placement.spent(began);
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
            if (proposal == null && (!committed || placement.isOff())) {
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
        try {
            if (request == null || request.getContainersToAllocate() == null) {
                return;
            }
            for (ContainerAllocationProposal<A, N> proposal : request.getContainersToAllocate()) {
                action.accept(proposal.getAllocatedOrReservedContainer());
            }
        } catch (Throwable e) {
            placement.faults().note(Part.ACCOUNTING, e);
        }
    }

    private Commits.Origin originOnThisThread(SchedulerContainer<?, ?> container) {
        Newest newest = newest();
        return newest.take().filter(origin -> newest.isOf(container)).orElseGet(Commits.Origin::notRanked);
    }

    private Newest newest() {
        return newestByThread.computeIfAbsent(Thread.currentThread(), thread -> new Newest());
    }

    /** Notes that the parent decides. */
    private void noted(InterferenceAppPlacementAllocator<?> asks, Ranking.Reason reason) {
        newest().set(asks, Commits.Origin.of(reason, asks));
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
