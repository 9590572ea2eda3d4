package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.interference.yarn.signal.Signal;

/** Counts what a test says. */
final class FakeCounterSource implements CounterSource {
    final Map<String, Map<Signal, Count>> counts = new ConcurrentHashMap<>();
    volatile boolean broken;
    volatile boolean closed;
    private final AtomicInteger snapshots = new AtomicInteger();
    volatile List<WatchedContainer> watched = List.of();
    volatile Pause onSnapshot = () -> {};

    interface Pause {
        void run() throws InterruptedException;
    }

    void cpu(String container, double used, double capacity) {
        counts.put(container, Map.of(Signal.CPU, new Count.Counted(used, capacity, false, "fake")));
    }

    void notCounted(String container) {
        counts.put(container, Map.of(Signal.CPU, new Count.NotCounted("gone", "fake")));
    }

    int snapshots() {
        return snapshots.get();
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public Map<String, Map<Signal, Count>> snapshot(Collection<WatchedContainer> containers) throws IOException {
        snapshots.incrementAndGet();
        watched = List.copyOf(containers);
        try {
            onSnapshot.run();
        } catch (InterruptedException e) {
            throw new InterruptedIOException("stopped");
        }
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
