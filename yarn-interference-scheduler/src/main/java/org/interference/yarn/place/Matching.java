package org.interference.yarn.place;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Who gets a node that is free, as {@link Offer} decides, and what there is to remember between two offers: what each kind of task gains
 * usually, and who has been passed over since when. Thread-safe; time is an argument.
 *
 * <p>The FairScheduler asks about all who wait at once ({@link #choose}). The CapacityScheduler offers a node to one request after the
 * other: the same decision says for each whether it is this one's ({@link #offered}), and else the parent goes on to the next. What is given up is bounded: a container is passed over
 * for so long at most; a node that is left gets a container at least once in a fifth of that; a node that was declined and then taken by nobody is given to the next one who asks, and whoever it was kept for is not
 * waited for again for a while, because its queue or user has reached a limit; and without a fresh sample, a profile or an
 * answer nobody is declined anything.
 *
 * <p>What a task loses counts as many times as its sensitivity says: a sensitive one leaves a bad node to others. A node suits best
 * whose gain there exceeds most what such tasks gain usually ({@link Bids}).
 */
public final class Matching {
    /**
     * Half of the interval of a gain, in standard deviations of what is distributed normally. Leaving wrongly costs as much as serving wrongly, so that
     * more certainty costs more than it brings (ADR-0034).
     */
    static final double DEVIATIONS = 0.5;

    private final Waits waits = new Waits();
    private final Bids bids;
    private final Map<Reason, LongAdder> counts = new EnumMap<>(Reason.class);

    /**
     * Who may get a node.
     *
     * @param weight how many times its slowdown counts
     * @param mode of its queue: what is decided about others than {@link Mode#ON} is only told
     * @param applicant whose it is; empty while nobody's tags wish for anything, and then those of one kind are alike
     */
    public record Contender(TaskKind kind, double weight, Mode mode, Optional<Applicant> applicant) {
        /** One to whom tags say nothing. */
        Contender(TaskKind kind, double weight, Mode mode) {
            this(kind, weight, mode, Optional.empty());
        }

        Contender(TaskKind kind, double weight) {
            this(kind, weight, Mode.ON);
        }

        /** Returns the same whoever asks. */
        public Contender ofAnybody() {
            return applicant.isEmpty() ? this : new Contender(kind, weight, mode);
        }

        boolean isLike(Contender other) {
            return weight == other.weight && kind.name().equals(other.kind.name());
        }
    }

    /**
     * A node that somebody may get.
     *
     * @param mayBeLeft whether it may stay as it is for a while
     * @param grown whether all that is free is beyond its configured size
     */
    public record FreeNode(String name, NodeLoad load, boolean mayBeLeft, boolean grown) {
        /** One of its configured size. */
        public FreeNode(String name, NodeLoad load, boolean mayBeLeft) {
            this(name, load, mayBeLeft, false);
        }

        /** Returns whether {@code first}, who is refused it, has been passed over: nobody has a right to what has grown. */
        private boolean isOwedTo(Contender first) {
            return !grown && first.mode() == Mode.ON;
        }
    }

    /**
     * What becomes of a node that is offered.
     *
     * @param taken by whom of those who wait; empty if the parent is to decide, or if the node is left
     * @param offered who waited, and what each would have gained; empty if nothing is known of the first
     */
    public record Choice(OptionalInt taken, Reason reason, Optional<Offered> offered) {
        /** One that leaves all to the parent. */
        static final Choice UNKNOWN = new Choice(OptionalInt.empty(), Reason.TAKEN_UNKNOWN, Optional.empty());

        /** Returns whether the parent is to do what it would do, whatever is told of it. */
        public boolean isToldOnly() {
            return offered.filter(known -> known.mode() != Mode.ON).isPresent();
        }

        /** Returns whether the node stays as it is. */
        public boolean leaves() {
            return (reason == Reason.LEFT || reason == Reason.KEPT) && !isToldOnly();
        }

        /** Returns whether the one that it was offered to is not to have it. */
        public boolean declines() {
            return reason.declines() && !isToldOnly();
        }
    }

    /** What becomes of an offer. The name is also the counter. */
    public enum Reason {
        /** It suits nobody who waits clearly better than whom the parent would serve, nor as well whose slowdown counts more. */
        TAKEN_BEST,
        /** It is not known what the task would gain. */
        TAKEN_UNKNOWN,
        /** It suits the one that gets it clearly better than whom the parent would serve, or as well and its slowdown counts more. */
        TAKEN_BETTER,
        /** The container has been passed over for as long as it may. */
        TAKEN_OVERDUE,
        /** It was declined before, and nobody took it. */
        TAKEN_UNWANTED,
        /** It suits another kind of task that waits better. */
        DECLINED_FOR_ANOTHER,
        /** Any task that waits would make the node slower. */
        LEFT,
        /** A kind of task that was never seen by itself has the node for itself. */
        TAKEN_ALONE,
        /** The node is kept for that, until it is empty, or the task ends. */
        KEPT;

        boolean declines() {
            return this == DECLINED_FOR_ANOTHER || this == LEFT || this == KEPT;
        }

        private static Reason of(Offer.Reason reason) {
            return switch (reason) {
                case FIRST -> TAKEN_BEST;
                case BETTER -> TAKEN_BETTER;
                case OVERDUE -> TAKEN_OVERDUE;
                case LEFT -> LEFT;
                case UNKNOWN -> TAKEN_UNKNOWN;
            };
        }
    }

    /** One to which tags say nothing. */
    Matching() {
        this(() -> TagCosts.NONE);
    }

    /** @param tagCosts in force */
    Matching(Supplier<TagCosts> tagCosts) {
        this.bids = new Bids(tagCosts);
        for (Reason reason : Reason.values()) {
            counts.put(reason, new LongAdder());
        }
    }

    /** Returns what becomes of the offer of {@code node} to {@code request} by what was decided in this visit; empty if that is still to be. */
    Optional<Choice> decided(
            Request request,
            Contender contender,
            String node,
            DecidedVisit visited,
            MatchSettings settings,
            Instant now) {
        if (!visited.knows(node, contender) || waits.isOverdue(id(request), settings.maxWait(), now)) {
            return Optional.empty();
        }
        Reason reason = visited.reason(contender);
        if (reason.declines()) {
            waits.passedOver(id(request), now);
        }
        counts.get(reason).increment();
        return Optional.of(new Choice(OptionalInt.empty(), reason, visited.offered()));
    }

    /**
     * Returns what becomes of the offer of {@code node} to {@code request}, which is {@code contender}: nobody else may take it here.
     *
     * @param visited takes note of who else gets it, or of whom it is left by
     *
     * @param waiting all who wait and may have the node; {@code contender} may be among them
     */
    Choice offered(
            Request request,
            Contender contender,
            FreeNode node,
            DecidedVisit visited,
            Collection<Contender> waiting,
            MatchSettings settings,
            Instant now) {
        List<Contender> all = new ArrayList<>(waiting.size() + 1);
        all.add(contender);
        for (Contender other : waiting) {
            if (!other.equals(contender) && counts(other, contender) && !waits.isInVain(other.kind(), now)) {
                all.add(other);
            }
        }
        Optional<Offered> offered =
                offered(all, waits.isOverdue(id(request), settings.maxWait(), now), node, settings, now);
        if (offered.isEmpty()) {
            counts.get(Reason.TAKEN_UNKNOWN).increment();
            return Choice.UNKNOWN;
        }
        Offer.Decision decision = offered.get().decision();
        Reason reason = Reason.of(decision.reason());
        if (reason == Reason.TAKEN_BETTER) {
            reason = Reason.DECLINED_FOR_ANOTHER;
            if (waits.isUnwanted(node.name(), now)) {
                waits.inVain(all.get(decision.winner().getAsInt()).kind(), now);
                // What has grown is for who surely gains, and nobody is waited for there who does not take it.
                reason = node.grown() ? Reason.LEFT : Reason.TAKEN_UNWANTED;
            } else if (contender.mode() == Mode.ON) {
                waits.declined(node.name(), now);
            }
        }
        if (reason.declines() && node.isOwedTo(contender)) {
            waits.passedOver(id(request), now);
            visited.note(node.name(), all, offered.get());
        }
        counts.get(reason).increment();
        return new Choice(OptionalInt.empty(), reason, offered);
    }

    /**
     * Notes what becomes of a node that is kept for a run by itself.
     *
     * @param passed those who are passed over by it, as {@link #id}
     * @param taken who gets it, if anybody
     */
    Choice kept(Collection<String> passed, OptionalInt taken, Instant now) {
        passed.forEach(ask -> waits.passedOver(ask, now));
        Reason reason = taken.isPresent() ? Reason.TAKEN_ALONE : Reason.KEPT;
        counts.get(reason).increment();
        return new Choice(taken, reason, Optional.empty());
    }

    private static boolean allCount(List<Contender> waiting) {
        for (Contender one : waiting) {
            if (!counts(one, waiting.get(0))) {
                return false;
            }
        }
        return true;
    }

    /** What is decided for one whose queue is on is among those that are; what is only told, among all. */
    private static boolean counts(Contender other, Contender first) {
        return first.mode() != Mode.ON || other.mode() == Mode.ON;
    }

    /**
     * Returns who gets {@code node}.
     *
     * @param waiting in the parent's order; all of them may be served, and the parent would serve the first
     * @param asks who asks, by the place in {@code waiting}, as {@link #id}; empty if it is gone. Only asked for if it matters
     */
    Choice choose(
            List<Contender> waiting,
            IntFunction<Optional<String>> asks,
            FreeNode node,
            MatchSettings settings,
            Instant now) {
        if (!allCount(waiting)) {
            return chooseOfThoseThatAreOn(waiting, asks, node, settings, now);
        }
        boolean overdue = waits.isAnybodyPassedOver()
                && !waiting.isEmpty()
                && asks.apply(0)
                        .filter(first -> waits.isOverdue(first, settings.maxWait(), now))
                        .isPresent();
        Optional<Offered> offered = offered(waiting, overdue, node, settings, now);
        if (offered.isEmpty()) {
            counts.get(Reason.TAKEN_UNKNOWN).increment();
            return Choice.UNKNOWN;
        }
        Offer.Decision decision = offered.get().decision();
        if (node.isOwedTo(waiting.get(0))) {
            // Of those behind the first nobody would have been served without us; but a node that is left waits for all
            // of them.
            int passed = decision.reason() == Offer.Reason.LEFT
                    ? waiting.size()
                    : decision.reason() == Offer.Reason.BETTER ? 1 : 0;
            for (int i = 0; i < passed; i++) {
                asks.apply(i).ifPresent(ask -> waits.passedOver(ask, now));
            }
        }
        Choice choice = new Choice(decision.winner(), Reason.of(decision.reason()), offered);
        counts.get(choice.reason()).increment();
        return choice;
    }

    private Choice chooseOfThoseThatAreOn(
            List<Contender> waiting,
            IntFunction<Optional<String>> asks,
            FreeNode node,
            MatchSettings settings,
            Instant now) {
        int[] on = IntStream.range(0, waiting.size())
                .filter(i -> waiting.get(i).mode() == Mode.ON)
                .toArray();
        Choice choice = choose(
                IntStream.of(on).mapToObj(waiting::get).toList(), who -> asks.apply(on[who]), node, settings, now);
        return new Choice(
                choice.taken().isPresent() ? OptionalInt.of(on[choice.taken().getAsInt()]) : OptionalInt.empty(),
                choice.reason(),
                choice.offered());
    }

    /** Returns empty if nothing is known of the first, or nobody waits: the parent decides. */
    private Optional<Offered> offered(
            List<Contender> waiting, boolean firstIsOverdue, FreeNode node, MatchSettings settings, Instant now) {
        NodeLoad load = node.load();
        if (waiting.isEmpty() || !load.cost(waiting.get(0).kind()).known()) {
            return Optional.empty();
        }
        List<Offer.Bid> made = bids.of(waiting, load, now);
        boolean mayBeLeft = node.mayBeLeft() && !waits.isLeftFor(node.name(), settings.hold(), now);
        Offer offer = new Offer(made, firstIsOverdue, mayBeLeft);
        Offer.Decision decision = node.grown() ? offer.decideSurely() : offer.decide();
        if (decision.reason() == Offer.Reason.LEFT && node.isOwedTo(waiting.get(0))) {
            waits.left(node.name(), now);
        }
        List<Offered.Contending> contenders = new ArrayList<>(waiting.size());
        for (int i = 0; i < waiting.size(); i++) {
            TaskKind kind = waiting.get(i).kind();
            contenders.add(new Offered.Contending(load.cost(kind).own(), kind.runSeconds(), made.get(i)));
        }
        return Optional.of(new Offered(node.name(), waiting.get(0).mode(), contenders, decision));
    }

    /** Returns what is remembered of who has been passed over, and of nodes. */
    Waits waits() {
        return waits;
    }

    void sweep(Instant now) {
        waits.sweep(now);
        bids.sweep(now);
    }

    /** Returns how often each outcome happened. */
    Map<Reason, Long> counts() {
        Map<Reason, Long> sums = new EnumMap<>(Reason.class);
        counts.forEach((reason, count) -> sums.put(reason, count.sum()));
        return sums;
    }

    /** Returns what tells apart who asks. */
    static String id(Request request) {
        return request.attempt() + " " + request.schedulerKey();
    }
}
