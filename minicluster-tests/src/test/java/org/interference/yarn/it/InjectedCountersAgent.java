package org.interference.yarn.it;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.yarn.server.nodemanager.Context;
import org.interference.yarn.nm.app.InterferenceNodeAgent;
import org.interference.yarn.nm.app.NodeSettings;
import org.interference.yarn.nm.collect.Count;
import org.interference.yarn.nm.collect.CounterSource;
import org.interference.yarn.nm.collect.WatchedContainer;
import org.interference.yarn.signal.Signal;

/** The NodeManager plugin with counters that a test makes up: real containers, real heartbeats, invented load. */
public final class InjectedCountersAgent extends InterferenceNodeAgent {
    /** CPU level of every container by node; static because YARN makes the agents by reflection. */
    private static final ConcurrentMap<String, Double> CPU_BY_NODE = new ConcurrentHashMap<>();

    /** From the next sample on, every container of {@code node} presses on the CPU by {@code level}. */
    static void inject(String node, double level) {
        CPU_BY_NODE.put(node, level);
    }

    @Override
    protected CounterSource counterSource(Context context, NodeSettings settings) {
        return new InjectedCounters(context);
    }

    private static final class InjectedCounters implements CounterSource {
        private final Context context;
        private final Map<String, Count.Counted> counts = new HashMap<>();

        InjectedCounters(Context context) {
            this.context = context;
        }

        @Override
        public String name() {
            return "injected";
        }

        @Override
        public Map<String, Map<Signal, Count>> snapshot(Collection<WatchedContainer> containers) {
            double level = CPU_BY_NODE.getOrDefault(context.getNodeId().toString(), 0.0);
            Map<String, Map<Signal, Count>> snapshot = new HashMap<>();
            for (WatchedContainer container : containers) {
                Count.Counted next = counts.merge(
                        container.id(),
                        new Count.Counted(0, 0, false, name()),
                        (held, none) -> new Count.Counted(held.used() + level, held.capacity() + 1, false, name()));
                snapshot.put(container.id(), Map.of(Signal.CPU, next));
            }
            return snapshot;
        }
    }
}
