package org.interference.yarn.place;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.interference.yarn.fault.Faults;
import org.interference.yarn.fault.Part;
import org.interference.yarn.ingest.Coverage;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.NodeSample;
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

    private final Ingest ingest;
    private final ProfileRepository profiles;
    private final SlowdownPredictor predictor;
    private final AtomicReference<Active> active;
    private final Ledger ledger = new Ledger();
    private final NodeLoads loads;
    private final TaskKinds kinds;
    private final Matching matching = new Matching();
    private final HeardWishes wishes;
    /** When a request was last placed by its ranking. */
    private volatile Instant ranked = Instant.MIN;

    /** Share of the cluster's nodes that are measured, as it was last told. */
    private volatile double measured;

    private final LongSupplier ticker;
    private final LongAdder tooSlow = new LongAdder();
    private final DecisionTimes times = new DecisionTimes();
    private final LongAdder spentNanos = new LongAdder();
    private final DecisionLog decisions = new DecisionLog();
    private final Differences differences = new Differences();
    private final Faults faults;
    private final LongAdder proposalsDropped = new LongAdder();
    private final LongAdder unaccounted = new LongAdder();

    /** A placement that knows nothing of containers but what it has placed, and no time. */
    public Placement(Ingest ingest, ProfileRepository profiles, SlowdownPredictor predictor, PlaceSettings settings) {
        this(ingest, profiles, predictor, settings, container -> Optional.empty(), () -> 0);
    }

    /** One that tells nobody of its errors, and counts them. */
    public Placement(
            Ingest ingest,
            ProfileRepository profiles,
            SlowdownPredictor predictor,
            PlaceSettings settings,
            Function<String, Optional<Occupant>> running,
            LongSupplier ticker) {
        this(ingest, profiles, predictor, settings, running, ticker, Faults.unlogged());
    }

    /**
     * @param running who is in a container, by its id; empty if the scheduler does not know it. Must take no lock of the scheduler's
     * @param ticker nanoseconds, by which decisions are timed
     * @param faults told of every error
     */
    public Placement(
            Ingest ingest,
            ProfileRepository profiles,
            SlowdownPredictor predictor,
            PlaceSettings settings,
            Function<String, Optional<Occupant>> running,
            LongSupplier ticker,
            Faults faults) {
        this.ticker = ticker;
        this.faults = faults;
        this.wishes = new HeardWishes(running, this::settings);
        this.ingest = ingest;
        this.profiles = profiles;
        this.predictor = predictor;
        this.loads = new NodeLoads(ingest, ledger, wishes);
        this.kinds = new TaskKinds(predictor);
        this.active = new AtomicReference<>(Active.of(settings, ticker));
    }

    /** Takes new settings; the breaker closes and counts anew, and what is known of loads is forgotten. */
    public void refresh(PlaceSettings settings) {
        active.set(Active.of(settings, ticker));
        loads.forgetAll();
    }

    /** Returns the settings in force. */
    public PlaceSettings settings() {
        return active.get().settings();
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
        return active.get().anybodyIn(mode);
    }

    /** Returns whether all queues are off: nothing is ranked, recorded or accounted for. */
    public boolean isOff() {
        return active.get().isOff();
    }

    /**
     * Ranks the nodes that the parent offers to a request.
     *
     * @param candidates in the parent's order; only asked for if the request is to be ranked
     */
    public Ranking rank(Request asked, Instant now, Supplier<List<Candidate>> candidates) {
        Request request = wishes.heard(asked);
        Mode mode = mode(request.queue());
        Optional<TaskProfile> profile = Optional.empty();
        if (mode == Mode.OFF) {
            return Ranking.parent(request, mode, Ranking.Reason.PARENT_NOT_RANKED, profile);
        }
        if (!hasTime()) {
            return Ranking.parent(request, mode, Ranking.Reason.PARENT_NO_TIME, profile);
        }
        try {
            if (request.applicationMaster()) {
                return Ranking.parent(request, mode, Ranking.Reason.PARENT_AM_CONTAINER, profile);
            }
            long began = ticker.getAsLong();
            Active asOf = active.get();
            notice(request);
            Optional<TaskKinds.Known> known = kinds.of(request.task(), profiles, now);
            profile = known.map(TaskKinds.Known::profile);
            if (profile.isEmpty() && !wishes.any()) {
                return Ranking.parent(request, mode, Ranking.Reason.PARENT_NO_PROFILE, profile);
            }
            Ranker.Newcomer newcomer = new Ranker.Newcomer(
                    known.map(TaskKinds.Known::kind), request.wishes(), request::occupant, weight(request));
            List<Candidate> offered = candidates.get();
            List<Verdict> verdicts = asOf.ranker()
                    .rank(newcomer, offered, () -> asOf.settings().limits().isTooLong(since(began)));
            if (tookTooLong(began, verdicts.stream().map(Verdict::node))) {
                return Ranking.parent(request, mode, Ranking.Reason.PARENT_TOO_SLOW, profile);
            }
            boolean tagged = false;
            for (Verdict verdict : verdicts) {
                if (verdict.reason() == Verdict.Reason.RANKED) {
                    ranked = mode == Mode.ON ? now : ranked;
                    return new Ranking(
                            request, mode, Ranking.Reason.RANKED, profile, verdicts, first(offered), Optional.empty());
                }
                tagged |= verdict.tagPenalty() > 0;
            }
            if (tagged) {
                return new Ranking(
                        request,
                        mode,
                        Ranking.Reason.RANKED_BY_TAGS,
                        profile,
                        verdicts,
                        first(offered),
                        Optional.empty());
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

    private static Optional<String> first(List<Candidate> offered) {
        for (Candidate candidate : offered) {
            if (candidate.fits()) {
                return Optional.of(candidate.node());
            }
        }
        return Optional.empty();
    }

    /** Returns whether anything may be decided now: the plugin has not had its share of the scheduler's time, nor ever taken too long. */
    public boolean hasTime() {
        Active now = active.get();
        return now.budget().isLeft() && !now.breaker().isSlow();
    }

    /** Returns the moment from which {@link #spent} is to count. */
    public long begin() {
        return ticker.getAsLong();
    }

    /** Returns whether a decision that began then has had half of the time that it may take: it is to be made of what is there. */
    public boolean isHalfOver(long began) {
        return active.get().settings().limits().isTooLong(2 * since(began));
    }

    /** Counts the time since {@code began}, which a scheduling thread has spent on the plugin's decisions. */
    public void spent(long began) {
        long nanos = since(began);
        active.get().budget().spend(nanos);
        spentNanos.add(nanos);
    }

    private long since(long began) {
        return ticker.getAsLong() - began;
    }

    /**
     * Takes note of a decision that has just been made.
     *
     * @param nodes that were looked at: what was worked out too slowly is not used later either
     */
    private boolean tookTooLong(long began, Stream<String> nodes) {
        Active now = active.get();
        long nanos = since(began);
        times.record(nanos);
        if (!now.settings().limits().isTooLong(nanos)) {
            return false;
        }
        tooSlow.increment();
        nodes.forEach(loads::forget);
        now.breaker().tooSlow(nanos);
        return true;
    }

    /** Returns how many nodes are ranked for one request. */
    public int maxCandidates() {
        return active.get().settings().maxCandidates();
    }

    /** Returns among how many nodes that are offered one after the other a request may choose; 1 while nothing could be ranked. */
    public int choices() {
        Active now = active.get();
        boolean nothingToRank = !wishes.any() && !kinds.isAny() && profiles.size() == 0;
        return nothingToRank || now.isOff() || !hasTime() ? 1 : now.settings().choices();
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
        return mayMatch();
    }

    /**
     * Returns what becomes of the offer of {@code node} to a request: whether it is to be declined a container there, because it suits others
     * that wait better, or because it harms whoever is there; the parent then goes on to the next request. Empty unless {@link #mayDecline}, and
     * where nothing can be said.
     *
     * @param visited what was decided in the visit of the node that goes on
     * @param others who else waits and may have the node
     */
    public Optional<Matching.Choice> offered(
            Request asked,
            String node,
            Instant now,
            Matching.Visited visited,
            Supplier<? extends Collection<Matching.Contender>> others) {
        Request request = wishes.heard(asked);
        if (!mayDecline()
                || request.applicationMaster()
                || mode(request.queue()) == Mode.OFF
                || !hasTime()
                || matching.wasPreempted(node, now)) {
            return Optional.empty();
        }
        long began = begin();
        try {
            notice(request);
            Optional<Matching.Contender> contender = contender(request, now);
            MatchSettings settings = active.get().settings().match();
            Optional<Matching.Choice> known =
                    contender.flatMap(who -> matching.decided(request, who, node, visited, settings, now));
            if (known.isPresent()) {
                return known;
            }
            Optional<NodeLoad> load = contender.isEmpty() ? Optional.empty() : load(node, now);
            Optional<Matching.Choice> choice = load.map(there -> matching.offered(
                    request,
                    contender.get(),
                    new Matching.FreeNode(node, there, true),
                    visited,
                    others.get(),
                    settings,
                    now));
            boolean tooLong = tookTooLong(began, Stream.of(node));
            return tooLong ? Optional.empty() : choice;
        } catch (Throwable e) {
            failed(e);
            return Optional.empty();
        } finally {
            spent(began);
        }
    }

    /** Returns whether nodes are given to whom they suit best, or it is told to whom they would be, if there is time for it. */
    public boolean mayMatch() {
        return active.get().settings().match().isAny() && !isOff() && enoughIsMeasured();
    }

    private boolean enoughIsMeasured() {
        return measured >= active.get().settings().match().minMeasured();
    }

    /** Takes note of how many of the cluster's nodes are measured. */
    public void covered(Coverage coverage) {
        measured = coverage.share();
    }

    /** Returns how many containers an application may be ahead and still be served first; 0 if the parent's order is to stay. */
    public int containersAhead() {
        return mayMatch() && hasTime() ? active.get().settings().match().ahead() : 0;
    }

    /**
     * Returns who gets {@code node}.
     *
     * @param inParentsOrder who may be served, the one that the parent would serve first
     * @param asks what each of them asks, by its place
     * @param mayBeLeft whether the node may stay as it is for a while
     */
    public Matching.Choice choose(
            List<Matching.Contender> inParentsOrder,
            IntFunction<Optional<Request>> asks,
            String node,
            boolean mayBeLeft,
            Instant now) {
        try {
            long began = ticker.getAsLong();
            Optional<NodeLoad> load = load(node, now);
            if (load.isPresent()) {
                Matching.Choice choice = matching.choose(
                        inParentsOrder,
                        who -> asks.apply(who).map(Matching::id),
                        new Matching.FreeNode(node, load.get(), mayBeLeft),
                        active.get().settings().match(),
                        now);
                if (!tookTooLong(began, Stream.of(node))) {
                    return choice;
                }
            }
        } catch (Throwable e) {
            failed(e);
        }
        return Matching.Choice.UNKNOWN;
    }

    /** Returns as whom a request is matched; empty if it is left to the parent. */
    public Optional<Matching.Contender> contender(Request asked, Instant now) {
        Request request = wishes.heard(asked);
        Mode mode = mode(request.queue());
        return request.applicationMaster() || mode == Mode.OFF
                ? Optional.empty()
                : kind(request.task(), now).map(kind -> new Matching.Contender(kind, weight(request), mode));
    }

    private double weight(Request request) {
        return wishes.weight(request.queue(), request.wishes());
    }

    /** Returns what an application in {@code queue} is heard to wish of what its tags say. */
    public Wishes heard(String queue, Wishes said) {
        return wishes.heard(queue, said);
    }

    /** Looks whether an application that lives still wishes for something, if one did. */
    public void forgetWishes(BooleanSupplier anybody) {
        if (wishes.forget(anybody)) {
            loads.forgetAll();
        }
    }

    private void notice(Request request) {
        if (wishes.notice(request)) {
            loads.forgetAll();
        }
    }

    /** Returns the kind that {@code task} is placed as; empty if there is no profile of it. */
    public Optional<TaskKind> kind(TaskIdentity task, Instant now) {
        return kinds.of(task, profiles, now).map(TaskKinds.Known::kind);
    }

    /**
     * Returns the load of {@code node}; empty without a fresh sample. Another call may answer otherwise: a pass asks once for each
     * node.
     */
    public Optional<NodeLoad> load(String node, Instant now) {
        return loads.of(node, now);
    }

    /**
     * Returns who is on a node without a fresh sample.
     *
     * @param containers that YARN has there, by id; asked for only if it matters who is in them
     */
    public NodeCompany company(String node, Supplier<Collection<String>> containers, Instant now) {
        return loads.company(node, containers, now);
    }

    /** Returns when the newest sample of {@code node} was received; empty if there is none. */
    public Optional<Instant> measuredAt(String node) {
        return ingest.newest(node).map(NodeSample::receivedAt);
    }

    /**
     * Accounts for a placement from the moment it is proposed, before anybody has committed or measured it.
     *
     * @param container the container id, or whatever names the placement until there is one
     */
    public void proposed(String container, String node, Request asked, Instant now) {
        Request request = wishes.heard(asked);
        matching.placed(request, node);
        notice(request);
        Optional<TaskKinds.Known> known = kinds.of(request.task(), profiles, now);
        known.map(TaskKinds.Known::kind).ifPresent(matching::served);
        if (known.isPresent() || wishes.any()) {
            ledger.placed(node, container, known.map(TaskKinds.Known::kind), request::occupant, now);
        }
    }

    /** Takes back what {@link #proposed} accounted for. */
    public void dropped(String container, String node) {
        ledger.dropped(node, container);
        proposalsDropped.increment();
    }

    /** Notes that what was accounted for as {@code proposal} has been committed as {@code container}. */
    public void confirmed(String proposal, String container, String node) {
        ledger.named(node, proposal, container);
    }

    /** Records a placement that YARN has committed, unless its queue was off. */
    public void committed(String container, String node, Ranking ranking, Instant now) {
        if (ranking.mode() == Mode.OFF) {
            return;
        }
        decisions.add(now, container, node, ranking, active.get().settings().decisionsKept());
        differences.add(ranking, node, now);
    }

    /** Notes that a container is gone, whatever its node still reports. */
    public void completed(String container, String node, Instant now) {
        if (!isOff() && ingest.newest(node).isPresent()) {
            ledger.completed(node, container, now);
        } else {
            ledger.dropped(node, container);
        }
    }

    /** Notes that YARN has killed a container on {@code node} to make space for somebody. */
    public void preempted(String node, Instant now) {
        matching.preempted(node, now);
    }

    /** Gives up the expectations that nothing has met. */
    public void sweep(Instant now) {
        ledger.sweep(now, ingest::newest);
        kinds.sweep(now);
        matching.sweep(now);
    }

    /** Forgets a node that left the cluster. */
    public void forget(String node) {
        ledger.forget(node);
        loads.forget(node);
        matching.forget(node);
    }

    /** Takes note of an error in a decision; enough of them open the breaker. */
    public void failed(Throwable error) {
        faults.note(Part.DECISION, error);
        active.get().breaker().error(error);
    }

    /** Counts a committed container that is not accounted for. */
    public void unaccounted() {
        unaccounted.increment();
    }

    /** Returns what is told of every other error. */
    public Faults faults() {
        return faults;
    }

    public List<Decision> decisions(int limit) {
        return decisions.newest(limit);
    }

    /** Returns the decision about a container; empty if it is not among those that are kept. */
    public Optional<Decision> decision(String container) {
        return decisions.of(container);
    }

    /** Returns by how much the parent's placements in shadow differ from the best. */
    public Differences differences() {
        return differences;
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
        return ledger.unmeasured(node, now, ingest::newest);
    }

    /** Returns how many containers are placed on any node and not yet measured. */
    public long unmeasured(Instant now) {
        return ledger.unmeasured(now, ingest::newest);
    }

    /** Returns how long rankings, matchings and declinings took. */
    public DecisionTimes.Snapshot decisionTimes() {
        return times.snapshot();
    }

    /** Returns how much of the schedulers' time the plugin has taken, with what it does beside deciding. */
    public Duration timeSpent() {
        return Duration.ofNanos(spentNanos.sum());
    }

    /** Returns the share of a scheduler's time that the plugin may take, from 0 to 1; 1 is no limit. */
    public double timeShare() {
        return active.get().settings().limits().share();
    }

    public Health health() {
        Active now = active.get();
        return new Health(
                now.settings().mode(),
                mode(),
                now.settings().queueModes().values().entrySet().stream()
                        .collect(Collectors.toUnmodifiableMap(
                                Map.Entry::getKey, entry -> now.inForce(entry.getValue()))),
                predictor.name(),
                now.breaker().open(),
                now.breaker().errors(),
                now.breaker().isOnTrial(),
                faults.total(),
                tooSlow.sum(),
                proposalsDropped.sum(),
                unaccounted.sum());
    }

    /**
     * What an operator asks first.
     *
     * @param queueModes in force, of queues that have one of their own, by full path
     * @param breakerOpen why the plugin no longer decides; empty while it may
     * @param breakerErrors errors of decisions in the last ten minutes
     * @param breakerOnTrial whether decisions are used again to see whether the breaker can be closed
     * @param errors of all parts of the plugin in this ResourceManager's life
     * @param tooSlow decisions that took too long to be used
     * @param unaccounted committed containers that are not accounted for, because too many waited to be
     */
    public record Health(
            Mode configuredMode,
            Mode mode,
            Map<String, Mode> queueModes,
            String predictor,
            Optional<String> breakerOpen,
            int breakerErrors,
            boolean breakerOnTrial,
            long errors,
            long tooSlow,
            long proposalsDropped,
            long unaccounted) {}
}
