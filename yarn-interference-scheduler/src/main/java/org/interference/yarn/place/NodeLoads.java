package org.interference.yarn.place;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;

/**
 * The load of each node that was asked about, kept until the node reports anew or something else is expected there. Thread-safe.
 */
final class NodeLoads {
    private final Ingest ingest;
    private final PendingLoad pending;
    private final Occupants occupants;
    private final ConcurrentMap<String, Entry> entries = new ConcurrentHashMap<>();

    /**
     * What a sample says, in the form that costs are worked out from.
     *
     * @param demands of the containers
     */
    private record Measured(NodeSample sample, List<InterferenceVector> demands, Neighbours together) {
        static Measured of(NodeSample sample) {
            List<InterferenceVector> demands = new ArrayList<>();
            sample.running().values().forEach(measured -> demands.add(measured.demand()));
            return new Measured(sample, demands, Neighbours.of(demands));
        }
    }

    /**
     * One node's load.
     *
     * @param occupants by container id, as far as they were asked for
     * @param validUntil when the first of its expectations is given up
     * @param changed whether others have come since
     */
    private record Entry(
            Measured measured, NodeLoad load, Map<String, Occupant> occupants, Instant validUntil, boolean changed) {
        @SuppressWarnings("ReferenceEquality") // The very sample that was read.
        boolean isOf(NodeSample newest) {
            return measured.sample() == newest;
        }

        boolean holds(NodeSample newest, Instant now) {
            return isOf(newest) && !changed && !now.isAfter(validUntil);
        }
    }

    NodeLoads(Ingest ingest, PendingLoad pending, Occupants occupants) {
        this.ingest = ingest;
        this.pending = pending;
        this.occupants = occupants;
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
        Measured measured = held != null && held.isOf(sample) ? held.measured() : Measured.of(sample);
        List<InterferenceVector> containers = new ArrayList<>(measured.demands());
        Neighbours together = measured.together();
        PendingLoad.OnNode expected = pending.on(sample.node(), sample.running().keySet(), now);
        for (PendingLoad.Expected container : expected.containers().values()) {
            if (container.load().isPresent()) {
                containers.add(container.load().get());
                together = together.with(container.load().get());
            }
        }
        Map<String, Occupant> there = Map.of();
        NodeLoad load;
        if (occupants.matter()) {
            there = occupants(sample, expected, held == null ? there : held.occupants());
            load = new NodeLoad(containers, together, weights(sample, expected, there), there.values());
        } else {
            load = new NodeLoad(containers, together, NodeLoad.ones(containers.size()), List.of());
        }
        return new Entry(
                measured,
                held != null && load.isLike(held.load()) ? held.load() : load,
                there,
                expected.until().orElse(Instant.MAX),
                false);
    }

    private double[] weights(NodeSample sample, PendingLoad.OnNode expected, Map<String, Occupant> there) {
        Stream<String> loaded = Stream.concat(
                sample.running().keySet().stream(),
                expected.containers().entrySet().stream()
                        .filter(container -> container.getValue().load().isPresent())
                        .map(Map.Entry::getKey));
        return loaded.mapToDouble(container -> occupants.weight(there.get(container)))
                .toArray();
    }

    /** Returns also who has no load that is known. Of a container that was there before, nobody is asked again. */
    private Map<String, Occupant> occupants(
            NodeSample sample, PendingLoad.OnNode expected, Map<String, Occupant> known) {
        Map<String, Occupant> there = new LinkedHashMap<>();
        expected.containers().forEach((container, load) -> there.put(container, load.occupant()));
        for (ContainerReport report : sample.report().containers()) {
            if (!report.ended() && !there.containsKey(report.container())) {
                Occupant before = known.getOrDefault(report.container(), Occupant.ANONYMOUS);
                there.put(
                        report.container(),
                        before.equals(Occupant.ANONYMOUS) ? occupants.of(report.container()) : before);
            }
        }
        return there;
    }

    /** Notes that something else is expected on {@code node}. */
    void expectationsChanged(String node) {
        entries.computeIfPresent(
                node,
                (same, held) -> new Entry(held.measured(), held.load(), held.occupants(), held.validUntil(), true));
    }

    /** Notes that others may count more than they did. */
    void forgetAll() {
        entries.clear();
    }

    void forget(String node) {
        entries.remove(node);
    }
}
