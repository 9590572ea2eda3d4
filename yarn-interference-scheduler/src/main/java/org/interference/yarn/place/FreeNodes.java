package org.interference.yarn.place;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.interference.yarn.ingest.Coverage;

/**
 * What becomes of a node that is free, as {@link Matching} decides, if enough is measured, and there is time. Thread-safe; no method throws.
 */
public final class FreeNodes {
    private final Gate gate;
    private final Accounts accounts;
    private final Matching matching;
    private final SoloRuns soloRuns = new SoloRuns();

    /** Share of the cluster's nodes that are measured, as it was last told. */
    private volatile double measured;

    /** How many nodes the cluster has. */
    private volatile int nodes;

    /** Which nodes have nothing free but what they have grown by. */
    private volatile Predicate<String> grown = node -> false;

    FreeNodes(Gate gate, Accounts accounts) {
        this.gate = gate;
        this.accounts = accounts;
        this.matching = new Matching(gate::tagCosts);
    }

    /** Returns whether nodes are given to whom they suit best, or it is told to whom they would be, if there is time for it. */
    public boolean mayMatch() {
        MatchSettings settings = gate.settings().match();
        return settings.isAny() && !gate.isOff() && measured >= settings.minMeasured();
    }

    /**
     * Has who surely gains, and nobody else, get what nodes have beyond their configured sizes.
     *
     * @param onlyGrown whether all that is free of a node is beyond its configured size; asked on scheduling threads
     */
    public void grownBy(Predicate<String> onlyGrown) {
        grown = onlyGrown;
    }

    /** Takes note of how many of the cluster's nodes are measured. */
    public void covered(Coverage coverage) {
        measured = coverage.share();
        nodes = coverage.nodes();
    }

    /** Returns how many containers an application may be ahead and still be served first; 0 if the parent's order is to stay. */
    public int containersAhead() {
        return mayMatch() && gate.hasTime() ? gate.settings().match().ahead() : 0;
    }

    /** Returns as whom a request is matched, and takes note of what it wishes for; empty if it is left to the parent. */
    public Optional<Matching.Contender> contender(Request asked, Instant now) {
        return contenderOf(accounts.heard(asked), now);
    }

    /** @param request as it is heard */
    private Optional<Matching.Contender> contenderOf(Request request, Instant now) {
        Mode mode = gate.mode(request.queue());
        if (request.applicationMaster() || mode == Mode.OFF) {
            return Optional.empty();
        }
        accounts.notice(request);
        return accounts.kind(request.task(), now)
                .map(kind -> new Matching.Contender(kind, accounts.weight(request), mode, accounts.applicant(request)));
    }

    /**
     * Returns what becomes of the offer of {@code node} to a request: whether it is to be declined a container there, because it suits others
     * that wait better, or because it harms whoever is there; the parent then goes on to the next request. Empty unless {@link #mayMatch}, and
     * where nothing can be said.
     *
     * @param visited what was decided in the visit of the node that goes on
     * @param others who else waits and may have the node
     */
    public Optional<Matching.Choice> offered(
            Request asked,
            String node,
            Instant now,
            DecidedVisit visited,
            Supplier<? extends Collection<Matching.Contender>> others) {
        Request request = accounts.heard(asked);
        if (!mayMatch()
                || request.applicationMaster()
                || gate.mode(request.queue()) == Mode.OFF
                || !gate.hasTime()
                || matching.waits().wasPreempted(node, now)) {
            return Optional.empty();
        }
        return gate.timed(() -> gate.decide(() -> decided(request, node, now, visited, others), Optional.empty()));
    }

    /** Returns whether a container was killed there lately to make space for somebody. */
    public boolean wasPreempted(String node, Instant now) {
        return matching.waits().wasPreempted(node, now);
    }

    /** Returns whether all that is free on {@code node} is beyond its configured size: nobody has a right to it. */
    public boolean isGrown(String node) {
        return grown.test(node);
    }

    /**
     * Notes that {@code request} is passed over where its application was declined {@code node} for what it rather has. Returns whether it has been for as long
     * as it may be.
     */
    public boolean isOverdueBehind(Request request, String node, Instant now) {
        if (!isGrown(node)) {
            matching.waits().passedOver(Matching.id(request), now);
        }
        return isOverdue(Optional.of(request), now);
    }

    private Optional<Matching.Choice> decided(
            Request request,
            String node,
            Instant now,
            DecidedVisit visited,
            Supplier<? extends Collection<Matching.Contender>> others) {
        long began = gate.begin();
        Optional<Matching.Contender> contender = contenderOf(request, now);
        MatchSettings settings = gate.settings().match();
        Optional<Matching.Choice> known =
                contender.flatMap(who -> matching.decided(request, who, node, visited, settings, now));
        if (known.isPresent()) {
            return known.map(choice -> orKept(choice, contender.get(), request, node, now));
        }
        Optional<NodeLoad> load = contender.isEmpty() ? Optional.empty() : accounts.load(node, now);
        Optional<Matching.Choice> choice = load.map(there -> matching.offered(
                request,
                contender.get(),
                new Matching.FreeNode(node, there, true, grown.test(node)),
                visited,
                others.get(),
                settings,
                now));
        if (tookTooLong(began, node)) {
            // Nor does whoever is asked next hear of it.
            visited.forget();
            return Optional.empty();
        }
        return choice.map(usual -> orKept(usual, contender.get(), request, node, now));
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
        return gate.decide(() -> chosen(inParentsOrder, asks, node, mayBeLeft, now), Matching.Choice.UNKNOWN);
    }

    /**
     * Returns what one more of each of {@code waiting} would add to the work of {@code node} as it is, in their order; empty without a fresh sample. Nobody is
     * passed over by it, and no offer noted.
     */
    public Optional<List<Offer.Bid>> gains(List<Matching.Contender> waiting, String node, Instant now) {
        return gate.decide(
                () -> accounts.load(node, now).map(load -> waiting.stream()
                        .map(contender -> Bids.gainOf(contender, load))
                        .toList()),
                Optional.empty());
    }

    /**
     * What a container and a node do to each other.
     *
     * @param gain what the node gets done more because of it
     * @param slowdown its own, {@code >= 1}
     * @param harm what its neighbours get done less because of it, in tasks alone, {@code >= 0}
     * @param margin as {@link org.interference.yarn.predict.SlowdownPredictor#margin}
     */
    public record Effect(Offer.Bid gain, double slowdown, double harm, OptionalDouble margin) {
        private static Optional<Effect> of(Matching.Contender who, NodeLoad load) {
            NodeLoad.Cost cost = load.cost(who.kind());
            return cost.known()
                    ? Optional.of(new Effect(
                            Bids.gainOf(who, load),
                            cost.own(),
                            cost.lost(),
                            who.kind().margin()))
                    : Optional.empty();
        }
    }

    /** Returns what {@code who} and {@code node} would do to each other; empty without a fresh sample, and where nobody can predict it. */
    public Optional<Effect> effectOf(Matching.Contender who, String node, Instant now) {
        return gate.decide(() -> accounts.load(node, now).flatMap(load -> Effect.of(who, load)), Optional.empty());
    }

    /** Returns the same of one that is there already, as {@code container}. */
    public Optional<Effect> effectOf(Matching.Contender who, String container, String node, Instant now) {
        return gate.decide(
                () -> accounts.loadWithout(container, node, now).flatMap(load -> Effect.of(who, load)),
                Optional.empty());
    }

    private Matching.Choice chosen(
            List<Matching.Contender> inParentsOrder,
            IntFunction<Optional<Request>> asks,
            String node,
            boolean mayBeLeft,
            Instant now) {
        long began = gate.begin();
        Optional<NodeLoad> load = accounts.load(node, now);
        if (load.isEmpty()) {
            return Matching.Choice.UNKNOWN;
        }
        Matching.Choice choice = matching.choose(
                inParentsOrder,
                who -> asks.apply(who).map(Matching::id),
                new Matching.FreeNode(node, load.get(), mayBeLeft, grown.test(node)),
                gate.settings().match(),
                now);
        return tookTooLong(began, node)
                ? Matching.Choice.UNKNOWN
                : orKept(choice, inParentsOrder, asks, node, mayBeLeft, now);
    }

    /** Returns for whom {@code node} is kept that is offered to those who wait; empty if all is as usual. */
    private Optional<SoloRuns.Kept> keptFor(List<Matching.Contender> waiting, String node, Instant now) {
        MatchSettings settings = gate.settings().match();
        if (settings.soloShare() == 0 || waiting.isEmpty()) {
            return Optional.empty();
        }
        for (Matching.Contender who : waiting) {
            if (who.mode() != Mode.ON) {
                return Optional.empty();
            }
            soloRuns.asks(who.kind(), node, now);
        }
        return soloRuns.at(node, settings.soloShare(), nodes, settings.maxWait(), now);
    }

    private boolean isOverdue(Optional<Request> request, Instant now) {
        return request.filter(asks -> matching.waits()
                        .isOverdue(Matching.id(asks), gate.settings().match().maxWait(), now))
                .isPresent();
    }

    private boolean isQuiet(String node, Instant now) {
        return accounts.load(node, now).filter(NodeLoad::isQuiet).isPresent();
    }

    /** Returns what becomes of the node that is offered to one: what is usual, unless it is kept. Where nobody can predict anything all is as usual. */
    private Matching.Choice orKept(
            Matching.Choice usual, Matching.Contender who, Request request, String node, Instant now) {
        return orKept(usual, List.of(who), any -> Optional.of(request), node, true, now);
    }

    private Matching.Choice orKept(
            Matching.Choice usual,
            List<Matching.Contender> waiting,
            IntFunction<Optional<Request>> asks,
            String node,
            boolean mayBeLeft,
            Instant now) {
        Optional<SoloRuns.Kept> kept =
                usual.offered().isEmpty() || !mayBeLeft ? Optional.empty() : keptFor(waiting, node, now);
        if (kept.isEmpty() || isOverdue(asks.apply(0), now)) {
            return usual;
        }
        OptionalInt hers = isQuiet(node, now)
                ? IntStream.range(0, waiting.size())
                        .filter(who -> kept.get().isFor(waiting.get(who).kind()))
                        .findFirst()
                : OptionalInt.empty();
        List<String> passed = hers.isPresent()
                ? List.of()
                : IntStream.range(0, waiting.size())
                        .mapToObj(asks)
                        .flatMap(Optional::stream)
                        .map(Matching::id)
                        .toList();
        return matching.kept(passed, hers, now);
    }

    private boolean tookTooLong(long began, String node) {
        boolean tooLong = gate.tookTooLong(began);
        if (tooLong) {
            // What was worked out too slowly is not used later either.
            accounts.forgetLoad(node);
        }
        return tooLong;
    }

    /** Returns what became of nodes that were offered to those who waited. */
    public Map<Matching.Reason, Long> counts() {
        return matching.counts();
    }

    /** Notes that {@code request}, which is of {@code kind}, gets {@code container} on {@code node}. */
    void placed(String container, Request request, Optional<TaskKind> kind, String node, Instant now) {
        matching.waits().placed(request, node);
        kind.ifPresent(matching.waits()::served);
        kind.filter(any -> !request.applicationMaster()).ifPresent(any -> soloRuns.placed(any, container, node, now));
    }

    /** Takes back that {@code container} gets {@code node}. */
    void dropped(String container, String node) {
        soloRuns.dropped(container, node);
    }

    /** Notes that {@code proposal} on {@code node} has become {@code container}. */
    void named(String proposal, String container, String node) {
        soloRuns.named(proposal, container, node);
    }

    /** Notes that {@code container} on {@code node} has ended. */
    void completed(String container, String node, Instant now) {
        soloRuns.completed(container, node, now);
    }

    /** Notes that YARN has killed a container on {@code node} to make space for somebody. */
    void preempted(String node, Instant now) {
        matching.waits().preempted(node, now);
    }

    void sweep(Instant now) {
        matching.sweep(now);
        soloRuns.sweep(now);
    }

    void forget(String node) {
        matching.waits().forget(node);
        soloRuns.forget(node);
    }
}
