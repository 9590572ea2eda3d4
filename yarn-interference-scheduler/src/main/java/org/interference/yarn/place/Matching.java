package org.interference.yarn.place;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Who gets a node that several tasks wait for (DESIGN.md section 6): whomever it suits best. Thread-safe; time is an argument.
 *
 * <p>The parent offers nodes to requests in its own order. A request is declined a node while it suits another one that waits better,
 * so that the parent goes on to that one. What is given up is bounded: a container waits at most the slack; a node that was
 * declined and then taken by nobody is given to the next one who asks, and whoever it was kept for is not waited for again for
 * a while, because its queue or user has reached a limit; and without a fresh sample, a profile or an answer nobody is declined
 * anything.
 *
 * <p>Gain of a task on a node: {@code 1/S(t|N) + sum over j in N of (1/S(j|N-j+t) - 1/S(j|N-j))}, the tasks' worth of work that the node
 * gets done more in a second. What a task loses counts as many times as its sensitivity says: a sensitive one leaves a bad node to others.
 *
 * <p>A node suits best whose gain there exceeds most what such tasks gain usually ({@link UsualGains}). By the gain alone harmless
 * tasks, and those whose harm is not measured, would get every node, and the harmful ones be left to each other (ADR-0016).
 */
public final class Matching {
    /** A node that was declined and that nobody took for so long is not wanted by whoever was thought to. */
    private static final Duration UNWANTED = Duration.ofMillis(1500);
    /** For so long nobody is waited for who did not take what was kept for him. */
    private static final Duration IN_VAIN = Duration.ofSeconds(10);
    /**
     * Smaller differences, in tasks alone, are not worth another order than the parent's. With 0.02 makespans are the same in simulation,
     * and turnarounds longer where contention is mild.
     */
    private static final double CLEARLY = 0.1;

    /** By the kind's name: until when it is not waited for. */
    private final ConcurrentMap<String, Instant> vainUntil = new ConcurrentHashMap<>();

    private final UsualGains<Alike> usual = new UsualGains<>();
    private final ConcurrentMap<String, Instant> declinedSince = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Instant> nodes = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Instant> delayed = new ConcurrentHashMap<>();
    private final Map<Reason, LongAdder> counts = new EnumMap<>(Reason.class);

    /**
     * Who may get a node.
     *
     * @param weight how many times its slowdown counts
     */
    public record Contender(TaskKind kind, double weight) {
        private Alike alike() {
            return new Alike(kind.name(), weight);
        }
    }

    /** What does not change when a kind's profile does. */
    private record Alike(String kind, double weight) {}

    /**
     * What becomes of a node that is offered to all who wait.
     *
     * @param taken by whom of them; empty if the parent is to decide, or if the reason declines it
     */
    public record Choice(OptionalInt taken, Reason reason) {}

    /** What becomes of an offer. The name is also the counter. */
    public enum Reason {
        /** It suits nobody who waits better. */
        TAKEN_BEST,
        /** It is not known what the task would gain. */
        TAKEN_UNKNOWN,
        /** The node suits it clearly better than the one that the parent would have served. */
        TAKEN_BETTER,
        /** The container has waited for as long as it may. */
        TAKEN_AFTER_SLACK,
        /** It was declined before, and nobody took it. */
        TAKEN_UNWANTED,
        /** It suits another kind of task that waits better. */
        DECLINED_FOR_ANOTHER,
        /** Any task that waits would lower what the node gets done. */
        DECLINED_FOR_NOBODY;

        boolean declines() {
            return this == DECLINED_FOR_ANOTHER || this == DECLINED_FOR_NOBODY;
        }
    }

    Matching() {
        for (Reason reason : Reason.values()) {
            counts.put(reason, new LongAdder());
        }
    }

    /**
     * Returns what becomes of the offer of {@code node} to {@code request}, which is {@code contender}.
     *
     * @param waiting all requests that wait, as such; {@code contender} among them
     */
    Reason offered(
            Request request,
            Contender contender,
            String node,
            NodeLoad load,
            Collection<Contender> waiting,
            MatchSettings settings,
            Instant now) {
        vainUntil.remove(contender.kind().name());
        Reason reason = reason(request, contender, node, load, waiting, settings, now);
        if (reason.declines()) {
            declinedSince.putIfAbsent(id(request), now);
            nodes.putIfAbsent(node, now);
        }
        counts.get(reason).increment();
        return reason;
    }

    private Reason reason(
            Request request,
            Contender contender,
            String node,
            NodeLoad load,
            Collection<Contender> waiting,
            MatchSettings settings,
            Instant now) {
        double own = gain(load, contender);
        if (own == Double.NEGATIVE_INFINITY) {
            return Reason.TAKEN_UNKNOWN;
        }
        Map<Alike, Double> gains = gains(load, waiting, now);
        double excess = usual.excess(contender.alike(), own);
        List<Contender> better = waiting.stream()
                .filter(other -> excess(other, gains) > excess + CLEARLY && !isWaitedForInVain(other.kind(), now))
                .toList();
        if (own < -CLEARLY && allHarm(gains) && mayDelay(contender.kind(), node, settings, now)) {
            return Reason.DECLINED_FOR_NOBODY;
        }
        if (better.isEmpty()) {
            return Reason.TAKEN_BEST;
        }
        if (isOver(declinedSince.get(id(request)), settings.slack(), now)) {
            return Reason.TAKEN_AFTER_SLACK;
        }
        if (isOver(nodes.get(node), UNWANTED, now)) {
            better.forEach(other -> vainUntil.put(other.kind().name(), now.plus(IN_VAIN)));
            return Reason.TAKEN_UNWANTED;
        }
        return Reason.DECLINED_FOR_ANOTHER;
    }

    /**
     * Returns who gets {@code node}.
     *
     * @param waiting in the parent's order; all of them may be served, and the parent would serve the first
     */
    Choice choose(List<Contender> waiting, String node, NodeLoad load, MatchSettings settings, Instant now) {
        Choice choice = chosen(waiting, node, load, settings, now);
        counts.get(choice.reason()).increment();
        return choice;
    }

    private Choice chosen(List<Contender> waiting, String node, NodeLoad load, MatchSettings settings, Instant now) {
        if (waiting.isEmpty() || !load.cost(waiting.get(0).kind()).known()) {
            return new Choice(OptionalInt.empty(), Reason.TAKEN_UNKNOWN);
        }
        Map<Alike, Double> gains = gains(load, waiting, now);
        int best = 0;
        double excess = excess(waiting.get(0), gains);
        for (int i = 1; i < waiting.size(); i++) {
            double itsExcess = excess(waiting.get(i), gains);
            if (itsExcess > excess + CLEARLY) {
                best = i;
                excess = itsExcess;
            }
        }
        if (allHarm(gains) && mayDelay(waiting.get(best).kind(), node, settings, now)) {
            return new Choice(OptionalInt.empty(), Reason.DECLINED_FOR_NOBODY);
        }
        return new Choice(OptionalInt.of(best), best == 0 ? Reason.TAKEN_BEST : Reason.TAKEN_BETTER);
    }

    /** Returns what those of whom it is known would gain on a node that is offered to them, and takes note of it. */
    private Map<Alike, Double> gains(NodeLoad load, Collection<Contender> waiting, Instant now) {
        Map<Alike, Double> gains = new HashMap<>();
        for (Contender contender : waiting) {
            double gain = gain(load, contender);
            if (gain != Double.NEGATIVE_INFINITY) {
                gains.put(contender.alike(), gain);
            }
        }
        usual.offered(gains, now);
        return gains;
    }

    private static boolean allHarm(Map<Alike, Double> gains) {
        return gains.values().stream().allMatch(gain -> gain < -CLEARLY);
    }

    private double excess(Contender contender, Map<Alike, Double> gains) {
        Double gain = gains.get(contender.alike());
        return gain == null ? Double.NEGATIVE_INFINITY : usual.excess(contender.alike(), gain);
    }

    private static double gain(NodeLoad load, Contender contender) {
        NodeLoad.Cost cost = load.cost(contender.kind());
        return cost.known() ? cost.gain() + (contender.weight() - 1) * (1 / cost.own() - 1) : Double.NEGATIVE_INFINITY;
    }

    private boolean isWaitedForInVain(TaskKind kind, Instant now) {
        Instant until = vainUntil.get(kind.name());
        return until != null && now.isBefore(until);
    }

    private boolean mayDelay(TaskKind kind, String node, MatchSettings settings, Instant now) {
        if (settings.delay().isZero() || !(kind.error().orElse(Double.MAX_VALUE) <= settings.delayMaxError())) {
            return false;
        }
        Instant since = delayed.computeIfAbsent(node, same -> now);
        return now.isBefore(since.plus(settings.delay()));
    }

    private static boolean isOver(Instant since, Duration limit, Instant now) {
        return limit.isZero() || (since != null && !now.isBefore(since.plus(limit)));
    }

    /** Notes that {@code request} got a container on {@code node}: both begin anew. */
    void placed(Request request, String node) {
        // Before anything is made for maps that mostly are empty.
        if (!declinedSince.isEmpty()) {
            declinedSince.remove(id(request));
        }
        nodes.remove(node);
        delayed.remove(node);
    }

    /** Forgets who no longer waits. */
    void sweep(Instant now) {
        Instant before = now.minus(Duration.ofMinutes(1));
        vainUntil.values().removeIf(until -> until.isBefore(now));
        declinedSince.values().removeIf(since -> since.isBefore(before));
        nodes.values().removeIf(since -> since.isBefore(before));
        delayed.values().removeIf(since -> since.isBefore(before));
        usual.sweep(now);
    }

    void forget(String node) {
        nodes.remove(node);
        delayed.remove(node);
    }

    /** Returns how often each outcome happened. */
    Map<Reason, Long> counts() {
        Map<Reason, Long> sums = new EnumMap<>(Reason.class);
        counts.forEach((reason, count) -> sums.put(reason, count.sum()));
        return sums;
    }

    private static String id(Request request) {
        return request.attempt() + " " + request.schedulerKey();
    }
}
