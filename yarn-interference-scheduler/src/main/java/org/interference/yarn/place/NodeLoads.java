package org.interference.yarn.place;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.interference.yarn.ingest.Ingest;
import org.interference.yarn.ingest.NodeSample;
import org.interference.yarn.predict.Neighbours;
import org.interference.yarn.signal.ContainerReport;
import org.interference.yarn.signal.InterferenceVector;
import org.interference.yarn.signal.Scale;

/**
 * The load of each node that was asked about, kept until the node reports anew or YARN does something there. Thread-safe; takes no
 * lock.
 */
final class NodeLoads {
    /** Of a node with more, a decision would take longer than it may: two predictions for each. */
    static final int MOST_CONTAINERS = 256;

    private final Ingest ingest;
    private final Ledger ledger;
    private final Occupants occupants;
    private final ConcurrentMap<String, Entry> entries = new ConcurrentHashMap<>();
    /** Of nodes without a sample, by container id. */
    private final ConcurrentMap<String, Map<String, Occupant>> unmeasured = new ConcurrentHashMap<>();

    /**
     * What a sample says, in the form that costs are worked out from.
     *
     * @param ids of the containers
     * @param demands of each of them
     * @param together they, and what is of no container
     */
    private record Measured(
            NodeSample sample, List<String> ids, List<InterferenceVector> demands, Neighbours together) {
        static Measured of(NodeSample sample) {
            List<InterferenceVector> demands = new ArrayList<>();
            sample.running().values().forEach(measured -> demands.add(measured.demand()));
            return new Measured(
                    sample,
                    List.copyOf(sample.running().keySet()),
                    demands,
                    Neighbours.of(demands).withOutside(sample.outside()));
        }
    }

    /**
     * One node's load.
     *
     * @param occupants by container id, as far as they were asked for
     * @param validUntil when the first thing that YARN did is given up
     */
    private record Entry(
            Measured measured, Ledger.OnNode done, NodeLoad load, Map<String, Occupant> occupants, Instant validUntil) {
        @SuppressWarnings("ReferenceEquality") // The very sample that was read.
        boolean isOf(NodeSample newest) {
            return measured.sample() == newest;
        }

        boolean holds(NodeSample newest, Ledger.OnNode doneSince, Instant now) {
            return isOf(newest) && done.isLike(doneSince) && !now.isAfter(validUntil);
        }
    }

    NodeLoads(Ingest ingest, Ledger ledger, Occupants occupants) {
        this.ingest = ingest;
        this.ledger = ledger;
        this.occupants = occupants;
    }

    /** Returns the load of {@code node}; empty without a fresh sample, and where more than {@value #MOST_CONTAINERS} containers run. */
    Optional<NodeLoad> of(String node, Instant now) {
        Optional<NodeSample> sample =
                ingest.fresh(node, now).filter(fresh -> fresh.running().size() <= MOST_CONTAINERS);
        if (sample.isEmpty()) {
            return Optional.empty();
        }
        Ledger.OnNode done = ledger.on(node);
        Entry entry = entries.get(node);
        if (entry == null || !entry.holds(sample.get(), done, now)) {
            // Of two threads the later one wins: whoever asks next sees what an entry was made of.
            entry = read(sample.get(), done, entry, now);
            entries.put(node, entry);
        }
        return Optional.of(entry.load());
    }

    /** Returns the load of {@code node} as it would be without one of its containers; empty as above. It is not kept. */
    Optional<NodeLoad> without(String container, String node, Instant now) {
        return ingest.fresh(node, now)
                .filter(fresh -> fresh.running().size() <= MOST_CONTAINERS)
                .map(sample -> readAnew(sample, ledger.on(node).without(container, now), null, now)
                        .load());
    }

    private Entry read(NodeSample sample, Ledger.OnNode done, Entry held, Instant now) {
        if (held != null && held.isOf(sample) && !occupants.matter() && !now.isAfter(held.validUntil())) {
            Optional<Ledger.Placed> more = done.oneMoreThan(held.done());
            // Who was accounted for late may be in the sample already.
            if (more.isPresent() && !sample.running().containsKey(more.get().container())) {
                return withOneMore(held, done, more.get());
            }
        }
        return readAnew(sample, done, held, now);
    }

    private static Entry withOneMore(Entry held, Ledger.OnNode done, Ledger.Placed more) {
        Instant expires = more.since().plus(Ledger.EXPIRY);
        return new Entry(
                held.measured(),
                done,
                more.kind().map(held.load()::with).orElse(held.load()),
                held.occupants(),
                expires.isBefore(held.validUntil()) ? expires : held.validUntil());
    }

    private Entry readAnew(NodeSample sample, Ledger.OnNode done, Entry held, Instant now) {
        Measured measured = held != null && held.isOf(sample) ? held.measured() : Measured.of(sample);
        List<String> ids = new ArrayList<>();
        List<InterferenceVector> containers = new ArrayList<>();
        Neighbours together = measured.together();
        Scale scale = sample.scale().inverse();
        Instant oldest = Instant.MAX;
        for (int i = 0; i < measured.ids().size(); i++) {
            String id = measured.ids().get(i);
            Instant gone = done.gone().get(id);
            if (gone == null || Ledger.isExpired(gone, now)) {
                ids.add(id);
                containers.add(measured.demands().get(i));
            } else {
                together = together.without(measured.demands().get(i));
                oldest = gone.isBefore(oldest) ? gone : oldest;
            }
        }
        List<Ledger.Placed> expected = new ArrayList<>();
        for (Ledger.Placed placed : done.placed()) {
            if (sample.running().containsKey(placed.container()) || Ledger.isExpired(placed.since(), now)) {
                continue;
            }
            expected.add(placed);
            oldest = placed.since().isBefore(oldest) ? placed.since() : oldest;
            if (placed.kind().isPresent()) {
                InterferenceVector asked = placed.kind().get().on(scale).load();
                ids.add(placed.container());
                containers.add(asked);
                together = together.with(asked);
            }
        }
        Map<String, Occupant> there = Map.of();
        NodeLoad load;
        if (occupants.matter()) {
            there = occupants(sample, done, expected, held == null ? there : held.occupants());
            load = new NodeLoad(
                    containers,
                    sample.outside(),
                    together,
                    weights(ids, there),
                    new NodeCompany(there.values()),
                    scale);
        } else {
            load = new NodeLoad(
                    containers,
                    sample.outside(),
                    together,
                    NodeLoad.ones(containers.size()),
                    NodeCompany.NOBODY,
                    scale);
        }
        return new Entry(
                measured,
                done,
                held != null && load.isLike(held.load()) ? held.load() : load,
                there,
                oldest.equals(Instant.MAX) ? oldest : oldest.plus(Ledger.EXPIRY));
    }

    private double[] weights(List<String> ids, Map<String, Occupant> there) {
        return ids.stream()
                .mapToDouble(container -> occupants.weight(there.getOrDefault(container, Occupant.ANONYMOUS)))
                .toArray();
    }

    /** Returns also who has no load that is known. Of a container that was there before, nobody is asked again. */
    private Map<String, Occupant> occupants(
            NodeSample sample, Ledger.OnNode done, List<Ledger.Placed> expected, Map<String, Occupant> known) {
        Map<String, Occupant> there = new LinkedHashMap<>();
        expected.forEach(placed -> there.put(placed.container(), occupant(placed, known)));
        for (ContainerReport report : sample.report().containers()) {
            String container = report.container();
            if (!report.ended() && !there.containsKey(container) && !done.gone().containsKey(container)) {
                Occupant before = known.getOrDefault(container, Occupant.ANONYMOUS);
                there.put(container, before.equals(Occupant.ANONYMOUS) ? occupants.of(container) : before);
            }
        }
        return there;
    }

    /** Returns the one that was known already, if there is one: an occupant is like no other, and costs are remembered beside the very same ones. */
    private static Occupant occupant(Ledger.Placed placed, Map<String, Occupant> known) {
        Occupant before = known.get(placed.container());
        return before == null ? placed.occupant().get() : before;
    }

    /**
     * Returns who is on a node without a sample.
     *
     * @param containers that YARN has there; asked for only if it matters who is in them
     */
    NodeCompany company(String node, Supplier<Collection<String>> containers, Instant now) {
        if (!occupants.matter()) {
            return NodeCompany.NOBODY;
        }
        Ledger.OnNode done = ledger.on(node);
        Map<String, Occupant> known = unmeasured.getOrDefault(node, Map.of());
        Map<String, Occupant> there = new LinkedHashMap<>();
        for (String container : containers.get()) {
            if (!done.gone().containsKey(container)) {
                Occupant before = known.get(container);
                there.put(container, before == null ? occupants.of(container) : before);
            }
        }
        for (Ledger.Placed placed : done.placed()) {
            if (!Ledger.isExpired(placed.since(), now)) {
                there.computeIfAbsent(placed.container(), same -> occupant(placed, known));
            }
        }
        unmeasured.put(node, there);
        return new NodeCompany(there.values());
    }

    /** Notes that others may count more than they did. */
    void forgetAll() {
        entries.clear();
        unmeasured.clear();
    }

    void forget(String node) {
        entries.remove(node);
        unmeasured.remove(node);
    }
}
