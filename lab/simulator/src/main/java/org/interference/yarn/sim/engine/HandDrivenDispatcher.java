package org.interference.yarn.sim.engine;

import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.event.AsyncDispatcher;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.event.EventHandler;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptEventType;

/** YARN's dispatcher without its thread: events are handled in order, on the caller's thread, when it says so. */
public final class HandDrivenDispatcher extends AsyncDispatcher {
    private final Queue<Event<?>> waiting = new ArrayDeque<>();
    private final Set<ApplicationAttemptId> allocated = new LinkedHashSet<>();
    private Consumer<Event<?>> watcher = event -> {};

    /** Shows every event to {@code watching} before it is handled. */
    public void watch(Consumer<Event<?>> watching) {
        watcher = watching;
    }

    /** Handles every event, and those that they cause; what a handler throws ends the simulation. */
    public void drain() {
        for (Event<?> event = waiting.poll(); event != null; event = waiting.poll()) {
            if (event instanceof RMAppAttemptEvent attempt
                    && attempt.getType() == RMAppAttemptEventType.CONTAINER_ALLOCATED) {
                allocated.add(attempt.getApplicationAttemptId());
            }
            watcher.accept(event);
            dispatch(event);
        }
    }

    /** Returns the attempts that containers were allocated to since the last time, in the order of allocation. */
    public Set<ApplicationAttemptId> takeAllocated() {
        Set<ApplicationAttemptId> taken = new LinkedHashSet<>(allocated);
        allocated.clear();
        return taken;
    }

    @Override
    @SuppressWarnings("rawtypes") // As the parent declares it.
    public EventHandler<Event> getEventHandler() {
        return waiting::add;
    }

    @Override
    @SuppressWarnings({"rawtypes", "unchecked"}) // As the parent declares it.
    protected void dispatch(Event event) {
        EventHandler handler = eventDispatchers.get(((Enum<?>) event.getType()).getDeclaringClass());
        if (handler == null) {
            throw new IllegalStateException("nobody handles " + event);
        }
        handler.handle(event);
    }

    @Override
    protected void serviceInit(Configuration conf) {
        // The parent's threads and timers are not wanted.
    }

    @Override
    protected void serviceStart() {
        // No thread.
    }

    @Override
    protected void serviceStop() {
        waiting.clear();
    }
}
