package org.interference.yarn.place;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.predict.SlowdownPredictor;
import org.interference.yarn.profile.ProfileRepository;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.profile.TaskProfile;

/**
 * The placement stage as one object: ranks, accounts for what was placed, records, and stays out of the way when it
 * fails. Thread-safe; ranking takes no lock that is held across a computation, and never throws.
 */
public final class Placement {
    /** So long it is not asked again who waits. */
    private static final Duration WAITING_HELD = Duration.ofMillis(200);

    private final ProfileRepository profiles;
    private final SlowdownPredictor predictor;
    private final AtomicReference<Active> active;
    private final PendingLoad pending = new PendingLoad();
    private final NodeLoads loads;
    private final TaskKinds kinds;
    private final Matching matching = new Matching();
    private volatile WaitingKinds waitingKinds;
    private final DecisionLog decisions = new DecisionLog();
    private final LongAdder errors = new LongAdder();
    private final LongAdder proposalsDropped = new LongAdder();

    private record WaitingKinds(List<TaskKind> kinds, Instant until) {}

    /** What a refresh of the settings replaces as a whole. */
    private record Active(PlaceSettings settings, Ranker ranker, Breaker breaker) {}

    public Placement(Ingest ingest, ProfileRepository profiles, SlowdownPredictor predictor, PlaceSettings settings) {
        this.profiles = profiles;
        this.predictor = predictor;
        this.loads = new NodeLoads(ingest, pending);
        this.kinds = new TaskKinds(predictor);
        this.active = new AtomicReference<>(active(settings));
    }

    /** Takes new settings; the breaker closes and counts anew. */
    public void refresh(PlaceSettings settings) {
        active.set(active(settings));
    }

    private static Active active(PlaceSettings settings) {
        return new Active(settings, new Ranker(settings), new Breaker(settings.breakerErrors()));
    }

    /** Returns the mode in force: the one of the settings, but {@link Mode#SHADOW} for {@link Mode#ON} after too many errors. */
    public Mode mode() {
        Active now = active.get();
        boolean tripped =
                now.settings().mode() == Mode.ON && now.breaker().open().isPresent();
        return tripped ? Mode.SHADOW : now.settings().mode();
    }

    /**
     * Ranks the nodes that the parent offers to {@code request}.
     *
     * @param candidates in the parent's order; only asked for if the request is to be ranked
     */
    public Ranking rank(Request request, Instant now, Supplier<List<Candidate>> candidates) {
        Mode mode = mode();
        Optional<TaskProfile> profile = Optional.empty();
        try {
            if (request.applicationMaster()) {
                return Ranking.parent(request, mode, Ranking.Reason.PARENT_AM_CONTAINER, profile);
            }
            profile = profiles.find(request.task());
            if (profile.isEmpty()) {
                return Ranking.parent(request, mode, Ranking.Reason.PARENT_NO_PROFILE, profile);
            }
            List<Verdict> verdicts = active.get().ranker().rank(kinds.of(profile.get(), now), candidates.get());
            boolean known = verdicts.stream().anyMatch(verdict -> verdict.reason() == Verdict.Reason.RANKED);
            return known
                    ? new Ranking(request, mode, Ranking.Reason.RANKED, profile, verdicts)
                    : Ranking.parent(request, mode, Ranking.Reason.PARENT_NOTHING_KNOWN, profile);
        } catch (Throwable e) {
            failed(e);
            return Ranking.parent(request, mode, Ranking.Reason.PARENT_AFTER_ERROR, profile);
        }
    }

    /** Returns how many nodes are ranked for one request. */
    public int maxCandidates() {
        return active.get().settings().maxCandidates();
    }

    /**
     * Returns among how many nodes that are offered one after the other a request may choose, if {@code node} is one of them; 1 while
     * nothing could be ranked there.
     */
    public int choices(String node, Instant now) {
        return profiles.size() == 0 || loads.isUnknown(node, now)
                ? 1
                : active.get().settings().choices();
    }

    /** Returns whether a request may be declined a node at all, as mode and settings are. */
    public boolean mayDecline() {
        return !active.get().settings().match().slack().isZero() && mode() == Mode.ON;
    }

    /**
     * Returns whether {@code request} is to be declined a container on {@code node}, because others that wait would gain more there;
     * the parent then goes on to the next request. Never unless {@link #mayDecline}.
     *
     * @param waiting every request that waits; asked for a few times a second
     */
    public boolean declines(Request request, String node, Instant now, Supplier<List<Request>> waiting) {
        if (!mayDecline() || request.applicationMaster()) {
            return false;
        }
        try {
            Optional<TaskKind> kind = kind(request.task(), now);
            Optional<NodeLoad> load = kind.isEmpty() ? Optional.empty() : load(node, now);
            return load.isPresent()
                    && matching.offered(
                                    request,
                                    kind.get(),
                                    node,
                                    load.get(),
                                    waitingKinds(waiting, now),
                                    active.get().settings().match(),
                                    now)
                            .declines();
        } catch (Throwable e) {
            failed(e);
            return false;
        }
    }

    /** Returns how many containers an application may be ahead and still be served first; 0 if the parent's order is to stay. */
    public int containersAhead() {
        return mode() == Mode.ON ? active.get().settings().match().ahead() : 0;
    }

    /**
     * Returns who gets {@code node}; nobody if the parent is to decide, or if the reason declines it.
     *
     * @param inParentsOrder requests that may be served, the one that the parent would serve first
     */
    public Matching.Choice choose(List<Request> inParentsOrder, String node, Instant now) {
        Matching.Choice parents = new Matching.Choice(Optional.empty(), Matching.Reason.TAKEN_UNKNOWN);
        try {
            Optional<NodeLoad> load = load(node, now);
            if (load.isEmpty()) {
                return parents;
            }
            Map<Request, TaskKind> kinds = new LinkedHashMap<>();
            for (Request request : inParentsOrder) {
                Optional<TaskKind> kind = request.applicationMaster() ? Optional.empty() : kind(request.task(), now);
                if (kind.isEmpty() && kinds.isEmpty()) {
                    return parents;
                }
                kind.ifPresent(known -> kinds.put(request, known));
            }
            return matching.choose(
                    kinds, node, load.get(), active.get().settings().match(), now);
        } catch (Throwable e) {
            failed(e);
            return parents;
        }
    }

    private Collection<TaskKind> waitingKinds(Supplier<List<Request>> waiting, Instant now) {
        WaitingKinds known = waitingKinds;
        if (known == null || !now.isBefore(known.until())) {
            Map<String, TaskKind> byName = new LinkedHashMap<>();
            for (Request request : waiting.get()) {
                kind(request.task(), now).ifPresent(kind -> byName.putIfAbsent(kind.name(), kind));
            }
            known = new WaitingKinds(List.copyOf(byName.values()), now.plus(WAITING_HELD));
            waitingKinds = known;
        }
        return known.kinds();
    }

    /** Returns the kind that {@code task} is placed as; empty if there is no profile of it. */
    public Optional<TaskKind> kind(TaskIdentity task, Instant now) {
        return profiles.find(task).map(profile -> kinds.of(profile, now));
    }

    /**
     * Returns the load of {@code node}; empty without a fresh sample. Another call may answer otherwise: a pass asks once for each
     * node.
     */
    public Optional<NodeLoad> load(String node, Instant now) {
        return loads.of(node, now);
    }

    /**
     * Accounts for a placement from the moment it is proposed, before anybody has committed or measured it.
     *
     * @param container the container id, or whatever names the placement until there is one
     */
    public void proposed(String container, String node, Request request, Instant now) {
        matching.placed(request, node);
        profiles.find(request.task()).ifPresent(profile -> {
            pending.add(node, container, profile.load(), now);
            loads.expectationsChanged(node);
        });
    }

    /** Takes back what {@link #proposed} accounted for. */
    public void dropped(String container, String node) {
        remove(node, container);
        proposalsDropped.increment();
    }

    /** Forgets a proposal whose container is accounted for under its own id. */
    public void confirmed(String proposal, String node) {
        remove(node, proposal);
    }

    /** Records a placement that YARN has committed. */
    public void committed(String container, String node, Ranking ranking, Instant now) {
        decisions.add(now, container, node, ranking, active.get().settings().decisionsKept());
    }

    /** Forgets a container that is gone. */
    public void completed(String container, String node) {
        remove(node, container);
    }

    private void remove(String node, String container) {
        pending.remove(node, container);
        loads.expectationsChanged(node);
    }

    /** Gives up the expectations that nothing has met. */
    public void sweep(Instant now) {
        pending.sweep(now);
        kinds.sweep(now);
        matching.sweep(now);
    }

    /** Forgets a node that left the cluster. */
    public void forget(String node) {
        pending.forget(node);
        loads.forget(node);
        matching.forget(node);
    }

    /** Counts an error of ours; enough of them open the breaker. */
    public void failed(Throwable error) {
        errors.increment();
        active.get().breaker().error(error);
    }

    public List<Decision> decisions(int limit) {
        return decisions.newest(limit);
    }

    /** Returns what became of nodes that were offered to those who waited. */
    public Map<Matching.Reason, Long> matchingCounts() {
        return matching.counts();
    }

    public Map<Ranking.Reason, Long> decisionCounts() {
        return decisions.counts();
    }

    /** Returns how many containers are placed on {@code node} and not yet measured. */
    public long unmeasured(String node, Instant now) {
        return pending.count(node, now);
    }

    /** Returns how many containers are placed on any node and not yet measured. */
    public long unmeasured(Instant now) {
        return pending.count(now);
    }

    public Health health() {
        Active now = active.get();
        return new Health(
                now.settings().mode(),
                mode(),
                predictor.name(),
                now.breaker().open(),
                now.breaker().errors(),
                errors.sum(),
                proposalsDropped.sum());
    }

    /**
     * What an operator asks first.
     *
     * @param breakerOpen why the plugin no longer decides; empty while it may
     * @param breakerErrors since the settings were read
     * @param errors in this ResourceManager's life
     */
    public record Health(
            Mode configuredMode,
            Mode mode,
            String predictor,
            Optional<String> breakerOpen,
            int breakerErrors,
            long errors,
            long proposalsDropped) {}
}
