package org.interference.yarn.place;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
    /** So long it is not asked again who waits. */
    private static final Duration WAITING_HELD = Duration.ofMillis(200);

    private final Ingest ingest;
    private final ProfileRepository profiles;
    private final SlowdownPredictor predictor;
    private final AtomicReference<Active> active;
    private final Ledger ledger = new Ledger();
    private final NodeLoads loads;
    private final TaskKinds kinds;
    private final Matching matching = new Matching();
    private volatile Waiting waiting;
    private final Occupants occupants;
    /** Whether an application has wished for anything: from then on it matters who is in a container. */
    private volatile boolean wished;

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
    private final LongAdder errors = new LongAdder();
    private final LongAdder proposalsDropped = new LongAdder();

    private record Waiting(Collection<Matching.Contender> contenders, Instant until) {}

    /** What a refresh of the settings replaces as a whole. */
    private record Active(PlaceSettings settings, Set<Mode> modes, Ranker ranker, Breaker breaker, TimeBudget budget) {
        /** As {@link #modes}, but for an open breaker. */
        boolean anybodyIn(Mode mode) {
            boolean open = breaker.open().isPresent();
            return switch (mode) {
                case ON -> !open && modes.contains(Mode.ON);
                case SHADOW -> modes.contains(Mode.SHADOW) || (open && modes.contains(Mode.ON));
                case OFF -> modes.contains(Mode.OFF);
            };
        }

        Mode inForce(Mode mode) {
            return mode == Mode.ON && breaker.open().isPresent() ? Mode.SHADOW : mode;
        }

        boolean isOff() {
            return modes.size() == 1 && modes.contains(Mode.OFF);
        }
    }

    /** A placement that knows nothing of containers but what it has placed, and no time. */
    public Placement(Ingest ingest, ProfileRepository profiles, SlowdownPredictor predictor, PlaceSettings settings) {
        this(ingest, profiles, predictor, settings, container -> Optional.empty(), () -> 0);
    }

    /**
     * @param running who is in a container, by its id; empty if the scheduler does not know it. Must take no lock of the scheduler's
     * @param ticker nanoseconds, by which decisions are timed
     */
    public Placement(
            Ingest ingest,
            ProfileRepository profiles,
            SlowdownPredictor predictor,
            PlaceSettings settings,
            Function<String, Optional<Occupant>> running,
            LongSupplier ticker) {
        this.ticker = ticker;
        this.occupants = new KnownOccupants(running);
        this.ingest = ingest;
        this.profiles = profiles;
        this.predictor = predictor;
        this.loads = new NodeLoads(ingest, ledger, occupants);
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
        public double weight(String queue, Wishes wishes) {
            return wishes.sensitivity()
                    .orElseGet(() -> active.get().settings().sensitivities().of(queue, 1.0));
        }
    }

    /** Takes new settings; the breaker closes and counts anew. */
    public void refresh(PlaceSettings settings) {
        active.set(active(settings));
        loads.forgetAll();
    }

    private Active active(PlaceSettings settings) {
        Set<Mode> modes = EnumSet.of(settings.mode());
        modes.addAll(settings.queueModes().values().values());
        return new Active(
                settings,
                modes,
                new Ranker(settings),
                new Breaker(settings.breakerErrors()),
                new TimeBudget(settings.limits().share(), ticker));
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
            if (profile.isEmpty() && !wished) {
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
                    return new Ranking(request, mode, Ranking.Reason.RANKED, profile, verdicts, first(offered));
                }
                tagged |= verdict.tagPenalty() > 0;
            }
            if (tagged) {
                return new Ranking(request, mode, Ranking.Reason.RANKED_BY_TAGS, profile, verdicts, first(offered));
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
        now.breaker().tooSlow(nanos, began + nanos);
        return true;
    }

    /** Returns how many nodes are ranked for one request. */
    public int maxCandidates() {
        return active.get().settings().maxCandidates();
    }

    /** Returns among how many nodes that are offered one after the other a request may choose; 1 while nothing could be ranked. */
    public int choices() {
        Active now = active.get();
        boolean nothingToRank = !wished && !kinds.isAny() && profiles.size() == 0;
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
        return !active.get().settings().match().slack().isZero() && anybodyIn(Mode.ON) && enoughIsMeasured();
    }

    /**
     * Returns whether {@code request} is to be declined a container on {@code node}, because it suits others that wait better;
     * the parent then goes on to the next request. Never unless {@link #mayDecline}.
     *
     * @param waiting every request that waits; asked for a few times a second
     */
    public boolean declines(Request request, String node, Instant now, Supplier<List<Request>> waiting) {
        if (!mayDecline() || request.applicationMaster() || mode(request.queue()) != Mode.ON || !hasTime()) {
            return false;
        }
        long began = begin();
        try {
            notice(request);
            Optional<Matching.Contender> contender = contender(request, now);
            Optional<NodeLoad> load = contender.isEmpty() ? Optional.empty() : load(node, now);
            boolean declines = load.isPresent()
                    && matching.offered(
                                    request,
                                    contender.get(),
                                    node,
                                    load.get(),
                                    waiting(waiting, now),
                                    active.get().settings().match(),
                                    now)
                            .declines();
            boolean tooLong = tookTooLong(began, Stream.of(node));
            return declines && !tooLong;
        } catch (Throwable e) {
            failed(e);
            return false;
        } finally {
            spent(began);
        }
    }

    /** Returns whether nodes are given to whom they suit best, if there is time for it. */
    public boolean mayMatch() {
        return active.get().settings().match().ahead() > 0 && anybodyIn(Mode.ON) && enoughIsMeasured();
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
     */
    public Matching.Choice choose(List<Matching.Contender> inParentsOrder, String node, Instant now) {
        try {
            long began = ticker.getAsLong();
            Optional<NodeLoad> load = load(node, now);
            if (load.isPresent()) {
                Matching.Choice choice = matching.choose(
                        inParentsOrder,
                        node,
                        load.get(),
                        active.get().settings().match(),
                        now);
                if (!tookTooLong(began, Stream.of(node))) {
                    return choice;
                }
            }
        } catch (Throwable e) {
            failed(e);
        }
        return new Matching.Choice(OptionalInt.empty(), Matching.Reason.TAKEN_UNKNOWN);
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
    public Optional<Matching.Contender> contender(Request request, Instant now) {
        return request.applicationMaster() || mode(request.queue()) != Mode.ON
                ? Optional.empty()
                : kind(request.task(), now).map(kind -> new Matching.Contender(kind, weight(request)));
    }

    private double weight(Request request) {
        return occupants.weight(request.queue(), request.wishes());
    }

    private void notice(Request request) {
        if (!wished && !request.wishes().equals(Wishes.NONE)) {
            wished = true;
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

    /** Returns when the newest sample of {@code node} was received; empty if there is none. */
    public Optional<Instant> measuredAt(String node) {
        return ingest.newest(node).map(NodeSample::receivedAt);
    }

    /**
     * Accounts for a placement from the moment it is proposed, before anybody has committed or measured it.
     *
     * @param container the container id, or whatever names the placement until there is one
     */
    public void proposed(String container, String node, Request request, Instant now) {
        matching.placed(request, node);
        notice(request);
        Optional<TaskKinds.Known> known = kinds.of(request.task(), profiles, now);
        if (known.isPresent() || wished) {
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

    /** Counts an error of ours; enough of them open the breaker. */
    public void failed(Throwable error) {
        errors.increment();
        active.get().breaker().error(error);
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
                errors.sum(),
                tooSlow.sum(),
                proposalsDropped.sum());
    }

    /**
     * What an operator asks first.
     *
     * @param queueModes in force, of queues that have one of their own, by full path
     * @param breakerOpen why the plugin no longer decides; empty while it may
     * @param breakerErrors since the settings were read
     * @param errors in this ResourceManager's life
     * @param tooSlow decisions that took too long to be used
     */
    public record Health(
            Mode configuredMode,
            Mode mode,
            Map<String, Mode> queueModes,
            String predictor,
            Optional<String> breakerOpen,
            int breakerErrors,
            long errors,
            long tooSlow,
            long proposalsDropped) {}
}
