package org.interference.yarn.place;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * What is remembered between two offers, so that nobody and no node waits for longer than it may: who has been passed over, which nodes were
 * declined or left, where somebody was killed, since when. Thread-safe; time is an argument.
 */
final class Waits {
    /** A node that was declined and that nobody took for so long is not wanted by whoever was thought to. */
    private static final Duration UNWANTED = Duration.ofMillis(1500);
    /** For so long what was killed for somebody may be his. */
    private static final Duration PREEMPTED = Duration.ofMinutes(1);
    /** For so long nobody is waited for who did not take what was kept for him. */
    private static final Duration IN_VAIN = Duration.ofSeconds(10);
    /** Twice as long as anybody may be passed over. */
    private static final Duration FORGOTTEN = Duration.ofMinutes(20);

    /** By the kind's name: until when it is not waited for. */
    private final ConcurrentMap<String, Instant> vainUntil = new ConcurrentHashMap<>();
    /** By who asks: since when it has been passed over. */
    private final ConcurrentMap<String, Instant> passedOver = new ConcurrentHashMap<>();
    /** By node: since when it has been declined, and nobody has taken it. */
    private final ConcurrentMap<String, Instant> declined = new ConcurrentHashMap<>();
    /** By node: since when it has been left, and has got no container. */
    private final ConcurrentMap<String, Instant> left = new ConcurrentHashMap<>();
    /** By node: when a container there was killed for somebody. */
    private final ConcurrentMap<String, Instant> preempted = new ConcurrentHashMap<>();

    /** Notes that {@code asks}, as {@link Matching#id}, was passed over. */
    void passedOver(String asks, Instant now) {
        passedOver.putIfAbsent(asks, now);
    }

    boolean isAnybodyPassedOver() {
        return !passedOver.isEmpty();
    }

    /** Returns whether {@code asks} has been passed over for as long as it may be. */
    boolean isOverdue(String asks, Duration most, Instant now) {
        return isOver(passedOver.get(asks), most, now);
    }

    /** Notes that {@code node} was declined for another one. */
    void declined(String node, Instant now) {
        declined.putIfAbsent(node, now);
    }

    /** Returns whether {@code node} was declined, and nobody took it though there was time. */
    boolean isUnwanted(String node, Instant now) {
        return isOver(declined.get(node), UNWANTED, now);
    }

    /** Notes that one of {@code kind} did not take what was kept for it. */
    void inVain(TaskKind kind, Instant now) {
        vainUntil.put(kind.name(), now.plus(IN_VAIN));
    }

    /** Returns whether nobody is to wait for one of {@code kind}. */
    boolean isInVain(TaskKind kind, Instant now) {
        Instant until = vainUntil.get(kind.name());
        return until != null && now.isBefore(until);
    }

    /** Notes that one of {@code kind} got a container: it is waited for again. */
    void served(TaskKind kind) {
        if (!vainUntil.isEmpty()) {
            vainUntil.remove(kind.name());
        }
    }

    /** Notes that {@code node} was left as it is. */
    void left(String node, Instant now) {
        left.putIfAbsent(node, now);
    }

    /** Returns whether {@code node} has been left for as long as it may be. */
    boolean isLeftFor(String node, Duration most, Instant now) {
        return isOver(left.get(node), most, now);
    }

    /** Notes that a container on {@code node} was killed to make space for somebody. */
    void preempted(String node, Instant now) {
        preempted.put(node, now);
    }

    /** Returns whether the node's space may be somebody's for whom another container was killed: nobody is declined it. */
    boolean wasPreempted(String node, Instant now) {
        Instant at = preempted.get(node);
        return at != null && now.isBefore(at.plus(PREEMPTED));
    }

    /** Notes that {@code request} got a container on {@code node}: both begin anew. */
    void placed(Request request, String node) {
        // Before anything is made for maps that mostly are empty.
        if (!passedOver.isEmpty()) {
            passedOver.remove(Matching.id(request));
        }
        declined.remove(node);
        left.remove(node);
    }

    /** Forgets who no longer waits. */
    void sweep(Instant now) {
        Instant before = now.minus(Duration.ofMinutes(1));
        vainUntil.values().removeIf(until -> until.isBefore(now));
        // Longer than anybody may wait: who still does has got nothing that was offered, for another reason than ours.
        passedOver.values().removeIf(since -> since.isBefore(now.minus(FORGOTTEN)));
        declined.values().removeIf(since -> since.isBefore(before));
        left.values().removeIf(since -> since.isBefore(now.minus(FORGOTTEN)));
        preempted.values().removeIf(at -> at.isBefore(before));
    }

    void forget(String node) {
        preempted.remove(node);
        declined.remove(node);
        left.remove(node);
    }

    private static boolean isOver(Instant since, Duration limit, Instant now) {
        return limit.isZero() || (since != null && !now.isBefore(since.plus(limit)));
    }
}
