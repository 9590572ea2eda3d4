package org.interference.yarn.place;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.signal.InterferenceVector;

/**
 * The load of each node that was asked about, kept until the node reports anew or something else is expected there. Thread-safe.
 */
final class NodeLoads {
    private final Ingest ingest;
    private final PendingLoad pending;
    private final ConcurrentMap<String, Entry> entries = new ConcurrentHashMap<>();

    /**
     * One node's load.
     *
     * @param validUntil when the first of its expectations is given up
     * @param changed whether others have come since
     */
    private record Entry(NodeSample sample, NodeLoad load, Instant validUntil, boolean changed) {
        @SuppressWarnings("ReferenceEquality") // The very sample that was read.
        boolean holds(NodeSample newest, Instant now) {
            return sample == newest && !changed && !now.isAfter(validUntil);
        }
    }

    NodeLoads(Ingest ingest, PendingLoad pending) {
        this.ingest = ingest;
        this.pending = pending;
    }

    /** Returns whether there is no fresh sample of {@code node}. */
    boolean isUnknown(String node, Instant now) {
        return ingest.fresh(node, now).isEmpty();
    }

    /** Returns the load of {@code node}; empty without a fresh sample. */
    Optional<NodeLoad> of(String node, Instant now) {
        return ingest.fresh(node, now).map(sample -> {
            Entry entry = entries.get(node);
            if (entry != null && entry.holds(sample, now)) {
                return entry.load();
            }
            // In the map's own lock, so that what is expected meanwhile marks what this makes.
            return entries.compute(node, (same, held) -> read(sample, held, now))
                    .load();
        });
    }

    private Entry read(NodeSample sample, Entry held, Instant now) {
        List<InterferenceVector> containers = new ArrayList<>();
        sample.running().values().forEach(measured -> containers.add(measured.demand()));
        PendingLoad.OnNode expected = pending.on(sample.node(), sample.running().keySet(), now);
        containers.addAll(expected.loads());
        NodeLoad load = new NodeLoad(containers);
        return new Entry(
                sample,
                held != null && load.isLike(held.load()) ? held.load() : load,
                expected.until().orElse(Instant.MAX),
                false);
    }

    /** Notes that something else is expected on {@code node}. */
    void expectationsChanged(String node) {
        entries.computeIfPresent(node, (same, held) -> new Entry(held.sample(), held.load(), held.validUntil(), true));
    }

    void forget(String node) {
        entries.remove(node);
    }
}
