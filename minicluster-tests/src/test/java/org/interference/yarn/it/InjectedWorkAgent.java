package org.interference.yarn.it;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.interference.yarn.nm.app.InterferenceNodeAgent;
import org.interference.yarn.nm.app.NodeSettings;
import org.interference.yarn.nm.collect.Count;
import org.interference.yarn.nm.collect.CounterSource;
import org.interference.yarn.nm.collect.WatchedContainer;
import org.interference.yarn.signal.Signal;

/** The NodeManager plugin with invented work: real containers that compute, or wait for a disk, as a test says. */
public final class InjectedWorkAgent extends InterferenceNodeAgent {
    private static final double NANOS = 1e9;
    private static final double CALLS = 100;

    /** Nobody is confined while cores are idle, so who computes keeps all of them busy. */
    private static final double CPUS = Runtime.getRuntime().availableProcessors();

    /** Static because YARN makes the agents by reflection. */
    private static final Set<String> WAITING = ConcurrentHashMap.newKeySet();

    /** From the next sample on {@code container} waits; without this it computes. */
    static void waits(String container) {
        WAITING.add(container);
    }

    @Override
    protected CounterSource counterSource(Context context, NodeSettings settings) {
        return new InjectedWork();
    }

    /** Every sample is a second later. */
    private static final class InjectedWork implements CounterSource {
        private final Map<String, Map<Signal, Count.Counted>> counted = new HashMap<>();

        @Override
        public String name() {
            return "injected";
        }

        @Override
        public Map<String, Map<Signal, Count>> snapshot(Collection<WatchedContainer> containers) {
            Map<String, Map<Signal, Count>> snapshot = new HashMap<>();
            Set<String> seen = new HashSet<>();
            for (WatchedContainer container : containers) {
                boolean waits = WAITING.contains(container.id());
                Map<Signal, Count.Counted> counts = counted.computeIfAbsent(container.id(), id -> new HashMap<>());
                add(counts, Signal.CPU, waits ? 0 : CPUS * NANOS, CPUS * NANOS);
                add(counts, Signal.BLKWAIT, waits ? NANOS : 0, NANOS);
                add(counts, Signal.FUTEX, waits ? CALLS : 0, 1);
                snapshot.put(container.id(), Map.copyOf(counts));
                seen.add(container.id());
            }
            counted.keySet().retainAll(seen);
            return snapshot;
        }

        private void add(Map<Signal, Count.Counted> counts, Signal signal, double used, double capacity) {
            counts.merge(
                    signal,
                    new Count.Counted(used, capacity, false, name()),
                    (before, now) -> new Count.Counted(
                            before.used() + now.used(), before.capacity() + now.capacity(), false, name()));
        }
    }
}
