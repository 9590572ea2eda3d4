package org.interference.yarn.place;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.interference.yarn.ingest.NodeSample;

/**
 * What YARN has done on each node that the node's newest sample need not show yet. Thread-safe; reading takes no lock.
 *
 * <p>A container counts from the moment its placement is proposed, so that a batch does not herd onto the node that was quiet when it
 * began. It counts until its first sample arrives, the proposal is dropped or the container completes, and at most for {@link
 * #EXPIRY}: one that is never measured must not hold its node's cost up for ever. A container that has completed no longer counts,
 * though a node whose counters are late still reports it.
 */
final class Ledger {
    /** Longer than localising a large container takes, and short enough that a node recovers from a lost one. */
    static final Duration EXPIRY = Duration.ofMinutes(2);

    private final ConcurrentMap<String, OnNode> byNode = new ConcurrentHashMap<>();

    /**
     * A container that was placed and may not be measured yet.
     *
     * @param kind empty without a profile
     */
    record Placed(String container, Optional<TaskKind> kind, Supplier<Occupant> occupant, Instant since) {
        Placed as(String id) {
            return new Placed(id, kind, occupant, since);
        }
    }

    /**
     * One node's. Immutable.
     *
     * @param placed in the order of their placement
     * @param gone when each container completed
     * @param version the same object as long as all that changes is how something is called, or what a sample already shows
     * @param before the version that this differs from by nothing but one more container at the end; null if there is more
     */
    record OnNode(List<Placed> placed, Map<String, Instant> gone, Object version, Object before) {
        static final OnNode NOTHING = of(List.of(), Map.of());

        private static OnNode of(List<Placed> placed, Map<String, Instant> gone) {
            return new OnNode(placed, gone, new Object(), null);
        }

        /** The same, seen otherwise. */
        private OnNode as(List<Placed> nextPlaced, Map<String, Instant> nextGone) {
            return new OnNode(nextPlaced, nextGone, version, before);
        }

        private OnNode with(Placed next) {
            List<Placed> all = new ArrayList<>(placed.size() + 1);
            all.addAll(placed);
            all.add(next);
            return new OnNode(all, gone, new Object(), version);
        }

        /** Returns this as if {@code container} had completed at {@code now}. */
        OnNode without(String container, Instant now) {
            Map<String, Instant> nextGone = new HashMap<>(gone);
            nextGone.put(container, now);
            return of(placedBut(each -> each.container().equals(container)), nextGone);
        }

        /** Returns what this has more than {@code other}, if that is one container and nothing else. */
        @SuppressWarnings("ReferenceEquality") // The very object.
        Optional<Placed> oneMoreThan(OnNode other) {
            return before == other.version && !placed.isEmpty()
                    ? Optional.of(placed.get(placed.size() - 1))
                    : Optional.empty();
        }

        @SuppressWarnings("ReferenceEquality") // The very object.
        boolean isLike(OnNode other) {
            return version == other.version;
        }

        private boolean isEmpty() {
            return placed.isEmpty() && gone.isEmpty();
        }

        private boolean has(String container) {
            for (Placed each : placed) {
                if (each.container().equals(container)) {
                    return true;
                }
            }
            return false;
        }

        private List<Placed> placedBut(Predicate<Placed> left) {
            List<Placed> rest = new ArrayList<>(placed);
            rest.removeIf(left);
            return rest;
        }
    }

    static boolean isExpired(Instant since, Instant now) {
        return since.plus(EXPIRY).isBefore(now);
    }

    /** Returns what was done on {@code node} of late; part of it may have expired. */
    OnNode on(String node) {
        return byNode.getOrDefault(node, OnNode.NOTHING);
    }

    void placed(String node, String container, Optional<TaskKind> kind, Supplier<Occupant> occupant, Instant now) {
        byNode.compute(node, (same, held) -> {
            OnNode before = held == null ? OnNode.NOTHING : held;
            // It may be gone before anybody has heard that it came.
            if (before.has(container) || before.gone().containsKey(container)) {
                return before;
            }
            return before.with(new Placed(container, kind, occupant, now));
        });
    }

    /** Notes that what was placed as {@code proposal} is {@code container}. */
    void named(String node, String proposal, String container) {
        byNode.computeIfPresent(node, (same, held) -> {
            if (held.gone().containsKey(container)) {
                return kept(OnNode.of(held.placedBut(each -> each.container().equals(proposal)), held.gone()));
            }
            List<Placed> placed = new ArrayList<>(held.placed());
            placed.replaceAll(each -> each.container().equals(proposal) ? each.as(container) : each);
            return held.as(placed, held.gone());
        });
    }

    void dropped(String node, String container) {
        byNode.computeIfPresent(
                node,
                (same, held) ->
                        kept(OnNode.of(held.placedBut(each -> each.container().equals(container)), held.gone())));
    }

    void completed(String node, String container, Instant now) {
        byNode.compute(node, (same, held) -> {
            OnNode before = held == null ? OnNode.NOTHING : held;
            Map<String, Instant> gone = new HashMap<>(before.gone());
            gone.put(container, now);
            return OnNode.of(before.placedBut(each -> each.container().equals(container)), gone);
        });
    }

    void forget(String node) {
        byNode.remove(node);
    }

    /**
     * Gives up what has expired, and what the samples show.
     *
     * @param newest the newest sample of a node
     */
    @SuppressWarnings("ReferenceEquality") // The very object.
    void sweep(Instant now, Function<String, Optional<NodeSample>> newest) {
        byNode.forEach((node, seen) -> {
            Optional<NodeSample> sample = newest.apply(node);
            // Mostly nothing: then nobody waits for this node's entry.
            if (swept(seen, sample, now) != seen) {
                byNode.computeIfPresent(node, (same, held) -> kept(swept(held, sample, now)));
            }
        });
    }

    /** Returns {@code held} itself if there is nothing to give up. */
    private static OnNode swept(OnNode held, Optional<NodeSample> sample, Instant now) {
        Predicate<Placed> needless = each -> isExpired(each.since(), now)
                || sample.filter(shown -> shown.running().containsKey(each.container()))
                        .isPresent();
        Predicate<Map.Entry<String, Instant>> told = each -> isExpired(each.getValue(), now)
                || sample.filter(shown -> shown.receivedAt().isAfter(each.getValue())
                                && !shown.running().containsKey(each.getKey()))
                        .isPresent();
        if (held.placed().stream().noneMatch(needless)
                && held.gone().entrySet().stream().noneMatch(told)) {
            return held;
        }
        List<Placed> placed = held.placedBut(needless);
        Map<String, Instant> gone = new HashMap<>(held.gone());
        gone.entrySet().removeIf(told);
        // What expires is in nobody's load any more, and neither is the rest twice. Which was the last one is no longer
        // known.
        return new OnNode(placed, gone, held.version(), null);
    }

    private static OnNode kept(OnNode next) {
        return next.isEmpty() ? null : next;
    }

    /** Returns how many containers were placed on {@code node}, are not in its {@code newest} sample and not given up yet. */
    long unmeasured(String node, Instant now, Function<String, Optional<NodeSample>> newest) {
        OnNode onNode = on(node);
        return onNode.placed().isEmpty()
                ? 0
                : swept(onNode, newest.apply(node), now).placed().size();
    }

    /** Returns the same for all nodes together. */
    long unmeasured(Instant now, Function<String, Optional<NodeSample>> newest) {
        return byNode.keySet().stream()
                .mapToLong(node -> unmeasured(node, now, newest))
                .sum();
    }
}
