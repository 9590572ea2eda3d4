package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.interference.yarn.signal.Signal;

/** Counts what a test says. */
final class FakeCounterSource implements CounterSource {
    final Map<String, Map<Signal, Count>> counts = new HashMap<>();
    boolean broken;
    boolean closed;
    int snapshots;

    void cpu(String container, double used, double capacity) {
        counts.put(container, Map.of(Signal.CPU, new Count.Counted(used, capacity, false, "fake")));
    }

    void notCounted(String container) {
        counts.put(container, Map.of(Signal.CPU, new Count.NotCounted("gone", "fake")));
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public Map<String, Map<Signal, Count>> snapshot(Collection<WatchedContainer> containers) throws IOException {
        snapshots++;
        if (broken) {
            throw new IOException("the fake is broken");
        }
        Map<String, Map<Signal, Count>> snapshot = new HashMap<>(counts);
        snapshot.keySet()
                .retainAll(containers.stream().map(WatchedContainer::id).toList());
        return snapshot;
    }

    @Override
    public void close() {
        closed = true;
    }
}
