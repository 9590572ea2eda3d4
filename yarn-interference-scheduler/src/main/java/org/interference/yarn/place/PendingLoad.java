package org.interference.yarn.place;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.interference.yarn.signal.InterferenceVector;

/**
 * The predicted load of containers that were placed and have no sample yet, so that a batch does not herd onto the node
 * that was quiet when it began. Thread-safe.
 *
 * <p>A load counts from the moment the placement is proposed. It goes when the container's first sample arrives, when the
 * proposal is dropped, when the container completes, and at the latest after {@link #EXPIRY}: a container that is never
 * measured must not hold its node's cost up for ever.
 */
final class PendingLoad {
    /** Longer than localising a large container takes, and short enough that a node recovers from a lost one. */
    static final Duration EXPIRY = Duration.ofMinutes(2);

    private final ConcurrentMap<String, ConcurrentMap<String, Expected>> byNode = new ConcurrentHashMap<>();

    /**
     * A container that is expected on a node.
     *
     * @param load empty without a profile
     */
    record Expected(Optional<InterferenceVector> load, Occupant occupant, Instant since) {
        boolean isExpired(Instant now) {
            return since.plus(EXPIRY).isBefore(now);
        }
    }

    void add(String node, String container, Optional<InterferenceVector> load, Occupant occupant, Instant now) {
        byNode.computeIfAbsent(node, key -> new ConcurrentHashMap<>())
                .putIfAbsent(container, new Expected(load, occupant, now));
    }

    void remove(String node, String container) {
        ConcurrentMap<String, Expected> expected = byNode.get(node);
        if (expected != null) {
            expected.remove(container);
        }
    }

    void forget(String node) {
        byNode.remove(node);
    }

    /**
     * The containers that are expected on a node, and not measured yet.
     *
     * @param until the last moment for which all of them are expected; empty if there are none
     */
    record OnNode(Map<String, Expected> containers, Optional<Instant> until) {
        static final OnNode NONE = new OnNode(Map.of(), Optional.empty());
    }

    /** Returns what is expected on {@code node} beside the containers that were {@code measured} there. */
    OnNode on(String node, Set<String> measured, Instant now) {
        Map<String, Expected> expected = byNode.get(node);
        if (expected == null) {
            return OnNode.NONE;
        }
        Map<String, Expected> containers = new LinkedHashMap<>();
        Instant oldest = Instant.MAX;
        boolean others = false;
        for (Map.Entry<String, Expected> entry : expected.entrySet()) {
            Expected container = entry.getValue();
            if (measured.contains(entry.getKey()) || container.isExpired(now)) {
                others = true;
            } else {
                containers.put(entry.getKey(), container);
                oldest = container.since().isBefore(oldest) ? container.since() : oldest;
            }
        }
        if (others) {
            expected.keySet().removeIf(container -> measured.contains(container));
            expected.values().removeIf(container -> container.isExpired(now));
        }
        return containers.isEmpty() ? OnNode.NONE : new OnNode(containers, Optional.of(oldest.plus(EXPIRY)));
    }

    /** Gives up what nobody has measured for too long, also on nodes that nobody ranks. */
    void sweep(Instant now) {
        byNode.values().forEach(expected -> expected.values().removeIf(load -> load.isExpired(now)));
    }

    /** Returns how many loads are expected on {@code node} and not yet given up. */
    long count(String node, Instant now) {
        return count(byNode.getOrDefault(node, new ConcurrentHashMap<>()), now);
    }

    /** Returns how many loads are expected on all nodes and not yet given up. */
    long count(Instant now) {
        return byNode.values().stream()
                .mapToLong(expected -> count(expected, now))
                .sum();
    }

    private static long count(Map<String, Expected> expected, Instant now) {
        return expected.values().stream().filter(load -> !load.isExpired(now)).count();
    }
}
