package org.interference.yarn.place.yarn;

import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.NewestContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.SchedulingMode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.CandidateNodeSet;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.interference.yarn.place.Gate;
import org.interference.yarn.place.Groups;
import org.interference.yarn.place.Matching;
import org.interference.yarn.place.Offered;
import org.interference.yarn.place.Placement;
import org.interference.yarn.place.Ranking;
import org.interference.yarn.place.Request;

/**
 * The placement stage in YARN's terms: requests, nodes and containers of the schedulers', and what becomes of each from proposal to commit.
 * Thread-safe; no method throws.
 *
 * <p>One scheduling thread decides about a request, and at once makes the proposal for it; another thread may commit that later.
 * So what was decided last is kept per thread until its proposal is made ({@link ThreadState}), then per container until the commit
 * ({@link Proposals}), and is then accounted for ({@link Commits}).
 */
public final class YarnPlacement {
    private final Placement placement;
    private final RMContext rmContext;
    private final InstantSource clock;
    private final Requests requests;
    private final NodeNames names = new NodeNames();
    private final ThreadStates threads = new ThreadStates();
    private final Commits commits;
    private final WaitingAsks waiting;
    private final WaitingGroups groups;
    private final NodeOrder order;
    private final Declining declining;
    private final Proposals proposals;

    /** @param background what accounts for containers that no decision waits for */
    public YarnPlacement(
            Placement placement, RMContext rmContext, YarnTasks tasks, InstantSource clock, Executor background) {
        this.placement = placement;
        this.rmContext = rmContext;
        this.clock = clock;
        this.requests = new Requests(rmContext, tasks);
        Fitting fitting = new Fitting(rmContext);
        this.waiting = new WaitingAsks(placement, rmContext, requests, fitting, clock, background);
        this.groups = new WaitingGroups(placement, rmContext, requests, fitting, clock);
        this.commits = new Commits(placement, requests, names::of, background);
        this.order = new NodeOrder(placement, requests, fitting, names, commits, threads, clock);
        this.declining = new Declining(placement, requests, fitting, names, commits, waiting, threads, clock);
        this.proposals = new Proposals(placement, names, commits, threads, clock);
    }

    /** Returns the stage itself. */
    public Placement stage() {
        return placement;
    }

    /** Returns what follows containers from their proposal to their commit. */
    public Proposals proposals() {
        return proposals;
    }

    /** Returns the candidates in our order, or in {@code parents}, of which nothing is lost if ranking fails. */
    <N extends SchedulerNode> Iterator<N> order(
            InterferenceAppPlacementAllocator<N> asks, CandidateNodeSet<N> candidates, Iterator<N> parents) {
        return order.of(asks, candidates, parents);
    }

    /** Returns whether a container of this request is to go elsewhere, so that another request gets {@code node}. */
    boolean declines(InterferenceAppPlacementAllocator<?> asks, SchedulerNode node, SchedulingMode mode) {
        return declining.declines(asks, node, mode);
    }

    /** Returns what is asked for through {@code asks}; empty if its application is gone. */
    public Optional<Request> request(InterferenceAppPlacementAllocator<?> asks) {
        return requests.of(asks);
    }

    /** Notes that there may be containers to wait for. */
    void asked(InterferenceAppPlacementAllocator<?> asks) {
        if (placement.freeNodes().mayMatch()) {
            waiting.asked(asks);
        } else {
            waiting.missed();
        }
        groups.asked(asks);
    }

    /** Returns whether what is asked for here gets nothing anywhere now, because the first containers of its application are to start together. */
    boolean keepsForGroup(InterferenceAppPlacementAllocator<?> asks) {
        return groups.keeps(asks);
    }

    /** Returns whether that may be true of anybody. */
    public boolean keepsAnybodyForGroups() {
        return groups.isAnybody();
    }

    /** Returns for what {@code attempt} waits; empty if it is not kept back. */
    Optional<Groups.Waiting> waitingGroup(ApplicationAttemptId attempt) {
        return groups.waiting(attempt);
    }

    /**
     * Returns among how many nodes that are offered one after the other a request may choose; 1 if each is decided alone: also while
     * several kinds of tasks wait, for then each node goes to whom it suits.
     */
    int nodeChoices() {
        int choices = placement.ranking().choices();
        return choices > 1 && placement.freeNodes().mayMatch() && waiting.areOfSeveralKinds() ? 1 : choices;
    }

    /** Returns whether what the parent offers may be held back until there is more to choose from. */
    boolean mayHoldBack() {
        return placement.ranking().mayHoldBack(clock.instant());
    }

    /** Notes that this thread visits a node, or all of them, anew. */
    public void visiting() {
        if (!placement.gate().isOff()) {
            threads.current().visiting(placement.gate().begin());
        }
    }

    /**
     * Notes that a thread that goes from node to node without end has visited one: it has nothing to do as long as nobody gets anything.
     *
     * @param allocated whether anybody has got anything
     */
    public void visited(boolean allocated) {
        if (!placement.gate().isOff()) {
            threads.current().visited(allocated);
        }
    }

    /** Notes that a thread that waits for events has one: while it had none, there was time for decisions. */
    public void works() {
        Gate gate = placement.gate();
        threads.known()
                .map(ThreadState::restedSince)
                .orElse(OptionalLong.empty())
                .ifPresent(since -> gate.idle(gate.begin() - since));
    }

    /** Notes that a thread that waits for events has done what the last one wanted. */
    public void rests() {
        if (!placement.gate().isOff()) {
            threads.current().rests(placement.gate().begin());
        }
    }

    /**
     * Returns as whom {@code application} is matched with what it asks for under {@code key}; empty if it is left to the parent, as is what
     * another allocator than ours places: nobody tells of its containers.
     */
    public Optional<Matching.Contender> contender(SchedulerApplicationAttempt application, SchedulerRequestKey key) {
        if (!(application.getAppPlacementAllocator(key) instanceof InterferenceAppPlacementAllocator<?>)
                || key.getContainerToUpdate() != null) {
            return Optional.empty();
        }
        return placement
                .gate()
                .decide(
                        () -> requests.of(application.getApplicationAttemptId(), key)
                                .flatMap(request -> placement.freeNodes().contender(request, clock.instant())),
                        Optional.empty());
    }

    /** Returns whether a container was killed on {@code node} lately to make space for somebody. */
    public boolean wasPreempted(SchedulerNode node) {
        return placement.freeNodes().wasPreempted(names.of(node.getNodeID()), clock.instant());
    }

    /**
     * Returns who gets {@code node}.
     *
     * @param contenders who may be served, in the parent's order
     * @param attempts and their keys, in the same order: what each asks
     * @param mayBeLeft whether the node may stay as it is for a while
     */
    public Matching.Choice choose(
            List<Matching.Contender> contenders,
            IntFunction<ApplicationAttemptId> attempts,
            IntFunction<SchedulerRequestKey> keys,
            SchedulerNode node,
            boolean mayBeLeft) {
        commits.accountForSome();
        return placement
                .freeNodes()
                .choose(
                        contenders,
                        who -> requests.of(attempts.apply(who), keys.apply(who)),
                        names.of(node.getNodeID()),
                        mayBeLeft,
                        clock.instant());
    }

    /**
     * Takes note of the container that a scheduler without proposals has just allocated on {@code node} to {@code application}, if there is
     * one: YARN also cancels requests by allocating them.
     *
     * @param offered what was decided about the node
     */
    public void allocated(
            InterferenceAppPlacementAllocator<?> asks,
            SchedulerApplicationAttempt application,
            SchedulerNode node,
            Ranking.Reason reason,
            Optional<Offered> offered) {
        if (placement.gate().isOff()) {
            return;
        }
        NewestContainer.of(application)
                .filter(newest -> newest.getAllocatedNode().equals(node.getNodeID())
                        && newest.getAllocatedSchedulerKey().equals(asks.key()))
                .ifPresent(newest -> commits.add(
                        newest,
                        Optional.empty(),
                        Commits.Origin.of(reason, asks).with(offered),
                        clock.instant()));
    }

    /**
     * Returns what kinds of container are waited for now, the ApplicationMasters aside; for a background thread.
     *
     * @param wanted of which requests
     */
    public List<WantedKind> waiting(Predicate<Request> wanted) {
        return placement
                .gate()
                .decide(
                        () -> new WantedKinds(placement, rmContext, requests, wanted, clock.instant()).find(),
                        List.of());
    }

    /** Accounts for everything that YARN has committed. */
    public void accountForAll() {
        commits.accountForAll();
    }

    /** Accounts for what waits to be, and forgets who waits no more, and which nodes are gone: they say nothing. */
    public void sweep() {
        commits.accountForAll();
        waiting.look();
        groups.look();
        names.retain(rmContext.getRMNodes().keySet());
        threads.forgetTheDead();
    }
}
