package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import org.interference.yarn.signal.Signal;

/** Where counters come from: {@code /proc}, or a daemon that sees more. Called by one thread at a time. */
public interface CounterSource extends AutoCloseable {
    /** What the source is called in readings and in the log: {@code proc}, {@code ebpf}, ... */
    String name();

    /**
     * Returns, by container id, what was counted since the source first saw the container. A container is forgotten once
     * a call leaves it out; one that cannot be seen is counted as {@link Count.NotCounted} or left out.
     */
    Map<String, Map<Signal, Count>> snapshot(Collection<WatchedContainer> containers) throws IOException;

    @Override
    default void close() {}
}
