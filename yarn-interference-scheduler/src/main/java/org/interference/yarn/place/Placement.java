package org.interference.yarn.place;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
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
    /** For so long after a request was ranked it is taken for likely that the next one will be. */
    private static final Duration LATELY = Duration.ofSeconds(5);
    /** So long it is not asked again who waits. */
    private static final Duration WAITING_HELD = Duration.ofMillis(200);

    private final ProfileRepository profiles;
    private final SlowdownPredictor predictor;
    private final AtomicReference<Active> active;
    private final PendingLoad pending = new PendingLoad();
    private final NodeLoads loads;
    private final TaskKinds kinds;
    private final Matching matching = new Matching();
    private volatile Waiting waiting;
    private final Occupants occupants;
    /** Whether an application has wished for anything: from then on it matters who is in a container. */
    private volatile boolean wished;

    /** When a request was last placed by its ranking. */
    private volatile Instant ranked = Instant.MIN;

    private final DecisionLog decisions = new DecisionLog();
    private final Differences differences = new Differences();
    private final LongAdder errors = new LongAdder();
    private final LongAdder proposalsDropped = new LongAdder();

    private record Waiting(Collection<Matching.Contender> contenders, Instant until) {}

    /** What a refresh of the settings replaces as a whole. */
    private record Active(PlaceSettings settings, Set<Mode> modes, Ranker ranker, Breaker breaker) {
        Mode inForce(Mode mode) {
            return mode == Mode.ON && breaker.open().isPresent() ? Mode.SHADOW : mode;
        }

        boolean isOff() {
            return modes.size() == 1 && modes.contains(Mode.OFF);
        }
    }

    /** A placement that knows nothing of containers but what it has placed. */
    public Placement(Ingest ingest, ProfileRepository profiles, SlowdownPredictor predictor, PlaceSettings settings) {
        this(ingest, profiles, predictor, settings, container -> Optional.empty());
    }

    /** @param running who is in a container, by its id; empty if the scheduler does not know it. Must take no lock of the scheduler's */
    public Placement(
            Ingest ingest,
            ProfileRepository profiles,
            SlowdownPredictor predictor,
            PlaceSettings settings,
            Function<String, Optional<Occupant>> running) {
        this.occupants = new KnownOccupants(running);
        this.profiles = profiles;
        this.predictor = predictor;
        this.loads = new NodeLoads(ingest, pending, occupants);
        this.kinds = new TaskKinds(predictor);
        this.active = new AtomicReference<>(active(settings));
    }

    private final class KnownOccupants implements Occupants {
        private final Function<String, Optional<Occupant>> running;

        KnownOccupants(Function<String, Optional<Occupant>> running) {
            this.running = running;
        }

        @Override
        public boolean matter() {
            return wished || !active.get().settings().sensitivities().values().isEmpty();
        }

        @Override
        public Occupant of(String container) {
            return running.apply(container).orElse(Occupant.ANONYMOUS);
        }

        @Override
        public double weight(Occupant occupant) {
            return occupant.wishes()
                    .sensitivity()
                    .orElseGet(() -> active.get().settings().sensitivities().of(occupant.queue(), 1.0));
        }
    }

    /** Takes new settings; the breaker closes and counts anew. */
    public void refresh(PlaceSettings settings) {
        active.set(active(settings));
        loads.forgetAll();
        differences.clear();
    }

    private static Active active(PlaceSettings settings) {
        Set<Mode> modes = EnumSet.of(settings.mode());
        modes.addAll(settings.queueModes().values().values());
        return new Active(settings, modes, new Ranker(settings), new Breaker(settings.breakerErrors()));
    }

    /**
     * Returns the mode in force where no queue has its own: the one of the settings, but {@link Mode#SHADOW} for {@link Mode#ON} after
     * too many errors.
     */
    public Mode mode() {
        Active now = active.get();
        return now.inForce(now.settings().mode());
    }

    /** Returns the mode in force for {@code queue}, a full path: its own, the one of a queue above it, or {@link #mode()}. */
    public Mode mode(String queue) {
        Active now = active.get();
        return now.inForce(now.settings().queueModes().of(queue, now.settings().mode()));
    }

    /** Returns whether the requests of any queue may be in {@code mode}. */
    public boolean anybodyIn(Mode mode) {
        Active now = active.get();
        return now.modes().stream().anyMatch(each -> now.inForce(each) == mode);
    }

    /** Returns whether all queues are off: nothing is ranked, recorded or accounted for. */
    public boolean isOff() {
        return active.get().isOff();
    }

    /**
     * Ranks the nodes that the parent offers to {@code request}.
     *
     * @param candidates in the parent's order; only asked for if the request is to be ranked
     */
    public Ranking rank(Request request, Instant now, Supplier<List<Candidate>> candidates) {
        Mode mode = mode(request.queue());
        Optional<TaskProfile> profile = Optional.empty();
        if (mode == Mode.OFF) {
            return Ranking.parent(request, mode, Ranking.Reason.PARENT_NOT_RANKED, profile);
        }
        try {
            if (request.applicationMaster()) {
                return Ranking.parent(request, mode, Ranking.Reason.PARENT_AM_CONTAINER, profile);
            }
            notice(request);
            profile = profiles.find(request.task());
            if (profile.isEmpty() && !wished) {
                return Ranking.parent(request, mode, Ranking.Reason.PARENT_NO_PROFILE, profile);
            }
            Ranker.Newcomer newcomer = new Ranker.Newcomer(
                    profile.map(known -> kinds.of(known, now)), request.occupant(), weight(request));
            List<Verdict> verdicts = active.get().ranker().rank(newcomer, candidates.get());
            if (verdicts.stream().anyMatch(verdict -> verdict.reason() == Verdict.Reason.RANKED)) {
                ranked = mode == Mode.ON ? now : ranked;
                return new Ranking(request, mode, Ranking.Reason.RANKED, profile, verdicts);
            }
            if (verdicts.stream().anyMatch(verdict -> verdict.tagPenalty() > 0)) {
                return new Ranking(request, mode, Ranking.Reason.RANKED_BY_TAGS, profile, verdicts);
            }
            return Ranking.parent(
                    request,
                    mode,
                    profile.isEmpty() ? Ranking.Reason.PARENT_NO_PROFILE : Ranking.Reason.PARENT_NOTHING_KNOWN,
                    profile);
        } catch (Throwable e) {
            failed(e);
            return Ranking.parent(request, mode, Ranking.Reason.PARENT_AFTER_ERROR, profile);
        }
    }

    /** Returns how many nodes are ranked for one request. */
    public int maxCandidates() {
        return active.get().settings().maxCandidates();
    }

    /** Returns among how many nodes that are offered one after the other a request may choose; 1 while nothing could be ranked. */
    public int choices() {
        Active now = active.get();
        boolean nothingToRank = profiles.size() == 0 && !wished;
        return nothingToRank || now.isOff() ? 1 : now.settings().choices();
    }

    /**
     * Returns whether nodes may be held back for a moment to have several to choose from: only while requests are placed by such
     * choices, so that without data, or with a predictor that fails, everything is as the parent does it.
     */
    public boolean mayHoldBack(Instant now) {
        return anybodyIn(Mode.ON) && ranked.isAfter(now.minus(LATELY));
    }

    /** Returns whether a request may be declined a node at all, as mode and settings are. */
    public boolean mayDecline() {
        return !active.get().settings().match().slack().isZero() && anybodyIn(Mode.ON);
    }

    /**
     * Returns whether {@code request} is to be declined a container on {@code node}, because others that wait would gain more there;
     * the parent then goes on to the next request. Never unless {@link #mayDecline}.
     *
     * @param waiting every request that waits; asked for a few times a second
     */
    public boolean declines(Request request, String node, Instant now, Supplier<List<Request>> waiting) {
        if (!mayDecline() || request.applicationMaster() || mode(request.queue()) != Mode.ON) {
            return false;
        }
        try {
            notice(request);
            Optional<Matching.Contender> contender = contender(request, now);
            Optional<NodeLoad> load = contender.isEmpty() ? Optional.empty() : load(node, now);
            return load.isPresent()
                    && matching.offered(
                                    request,
                                    contender.get(),
                                    node,
                                    load.get(),
                                    waiting(waiting, now),
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
        return anybodyIn(Mode.ON) ? active.get().settings().match().ahead() : 0;
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
            Map<Request, Matching.Contender> contenders = new LinkedHashMap<>();
            for (Request request : inParentsOrder) {
                Optional<Matching.Contender> contender = contender(request, now);
                if (contender.isEmpty() && contenders.isEmpty()) {
                    return parents;
                }
                contender.ifPresent(known -> contenders.put(request, known));
            }
            return matching.choose(
                    contenders, node, load.get(), active.get().settings().match(), now);
        } catch (Throwable e) {
            failed(e);
            return parents;
        }
    }

    private Collection<Matching.Contender> waiting(Supplier<List<Request>> requests, Instant now) {
        Waiting known = waiting;
        if (known == null || !now.isBefore(known.until())) {
            Set<Matching.Contender> contenders = new LinkedHashSet<>();
            requests.get().forEach(request -> contender(request, now).ifPresent(contenders::add));
            known = new Waiting(contenders, now.plus(WAITING_HELD));
            waiting = known;
        }
        return known.contenders();
    }

    /** Returns as whom {@code request} is matched; empty if it is left to the parent. */
    private Optional<Matching.Contender> contender(Request request, Instant now) {
        return request.applicationMaster() || mode(request.queue()) != Mode.ON
                ? Optional.empty()
                : kind(request.task(), now).map(kind -> new Matching.Contender(kind, weight(request)));
    }

    private double weight(Request request) {
        return occupants.weight(request.occupant());
    }

    private void notice(Request request) {
        if (!wished && !request.wishes().equals(Wishes.NONE)) {
            wished = true;
            loads.forgetAll();
        }
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
        notice(request);
        Optional<TaskProfile> profile = profiles.find(request.task());
        if (profile.isPresent() || wished) {
            pending.add(node, container, profile.map(TaskProfile::load), request.occupant(), now);
            loads.expectationsChanged(node);
        }
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

    /** Records a placement that YARN has committed, unless its queue was off. */
    public void committed(String container, String node, Ranking ranking, Instant now) {
        if (ranking.mode() == Mode.OFF) {
            return;
        }
        decisions.add(now, container, node, ranking, active.get().settings().decisionsKept());
        differences.add(ranking, node);
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

    /** Returns by how much the parent's placements in shadow differ from the best, by queue, since the settings were read. */
    public Map<String, Differences.Queue> differences() {
        return differences.byQueue();
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
