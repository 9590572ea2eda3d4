package org.interference.yarn.capacity;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Decides for each node how large it should be, and remembers what the next decision needs of the one before. Thread-safe; time is an argument.
 *
 * <p>A node grows step by step while one more of those that wait surely adds to its work ({@link org.interference.yarn.place.Offer.Bid#atLeast}), nothing
 * fits any more, and memory suffices by {@link MemoryEstimate}; it goes back at once when tasks are stalled, when memory runs short, or when its reports
 * stop, and then holds off for twice as long as the time before. A node that everybody would make slower is left by placement, and needs no other size.
 */
public final class Governor {
    private final ConcurrentMap<String, Past> pasts = new ConcurrentHashMap<>();
    private final Losses losses = new Losses();
    private final Map<SizeDecision.Reason, LongAdder> counts = new EnumMap<>(SizeDecision.Reason.class);
    private volatile GovernorSettings settings;

    public Governor(GovernorSettings settings) {
        this.settings = settings;
        for (SizeDecision.Reason reason : SizeDecision.Reason.values()) {
            counts.put(reason, new LongAdder());
        }
    }

    /** Takes new settings; what is remembered stays. */
    public void refresh(GovernorSettings next) {
        settings = next;
    }

    /** Returns the settings in force. */
    public GovernorSettings settings() {
        return settings;
    }

    /** Returns what size the node should have. Called for one node by one thread at a time. */
    public SizeDecision decide(NodeState state, Instant now) {
        Past past = pasts.getOrDefault(state.node(), Past.of(state.configured(), now));
        losses.ran(state.running().size(), Duration.between(past.decided(), now));
        Sizing sizing =
                new Sizing(state, past.at(state.configured()), settings, losses.allow(settings.mostLost()), now);
        SizeDecision decision = sizing.decide();
        pasts.put(state.node(), sizing.next(decision));
        counts.get(decision.reason()).increment();
        return decision;
    }

    /** Notes that a container has gone that a decision has go: what it has done is lost. */
    public void evicted(SizeDecision.Eviction eviction) {
        losses.lost(eviction.lost());
    }

    /**
     * Notes that a container was killed on a grown node for want of memory, by whomever, other than by a decision's evictions: the node goes back and holds off.
     *
     * @param ran how long it had run, which is lost
     */
    public void killed(String node, Duration ran, Instant now) {
        losses.lost(ran);
        pasts.computeIfPresent(node, (same, past) -> past.heldOff(now));
    }

    /** Returns the share of all containers' run time that was lost by growing, from 0 to 1. */
    public double lostShare() {
        return losses.share();
    }

    /** Returns how often each reason was given. */
    public Map<SizeDecision.Reason, Long> counts() {
        Map<SizeDecision.Reason, Long> sums = new EnumMap<>(SizeDecision.Reason.class);
        counts.forEach((reason, count) -> sums.put(reason, count.sum()));
        return sums;
    }

    /** Forgets a node that left the cluster, or whose size is no longer to be decided. */
    public void forget(String node) {
        pasts.remove(node);
    }
}
