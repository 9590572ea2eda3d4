package org.interference.yarn.nm.collect;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.interference.yarn.signal.Flow;
import org.interference.yarn.signal.Signal;

/** Where counters come from: a daemon, or files of control groups, which tell less. Called by one thread at a time. */
public interface CounterSource extends AutoCloseable {
    /** What the source is called in readings and in the log: {@code cgroup}, {@code ebpf}, ... */
    String name();

    /**
     * Returns, by container id, what was counted since the source first saw the container. A container is forgotten once
     * a call leaves it out; one that cannot be seen is counted as {@link Count.NotCounted} or left out.
     */
    Map<String, Map<Signal, Count>> snapshot(Collection<WatchedContainer> containers) throws IOException;

    /** Of one container no more are told. */
    int MOST_PREEMPTORS = 8;

    /**
     * Returns, by container id, who took the container's CPU how often since the source first saw both, as of the last snapshot, the most
     * often first, {@value #MOST_PREEMPTORS} at most; by the taker's id, or the empty id for what is outside of all containers. Without what the source does not know.
     */
    default Map<String, Map<String, Double>> preemptors() {
        return Map.of();
    }

    /** Of one container no more connections are told. */
    int MOST_FLOWS = 16;

    /**
     * Returns, by container id, what the container has exchanged by connection, in bytes since the source first saw it, as of the last snapshot, those
     * with the most first, {@value #MOST_FLOWS} at most. A connection that was idle may begin anew. Without what the source does not know.
     */
    default Map<String, List<Flow>> flows() {
        return Map.of();
    }

    @Override
    default void close() {}
}
