package org.interference.yarn.place.yarn;

import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.Queue;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.AppPlacementAllocator;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.interference.yarn.place.Request;

/** Who asks for what, as YARN knows it. Thread-safe; reads only what YARN keeps in concurrent maps and fields. */
final class Requests {
    private final RMContext rmContext;
    private final YarnTasks tasks;

    Requests(RMContext rmContext, YarnTasks tasks) {
        this.rmContext = rmContext;
        this.tasks = tasks;
    }

    /** Returns what is asked for through {@code asks}; empty if its application is gone. */
    Optional<Request> of(InterferenceAppPlacementAllocator<?> asks) {
        Optional<Request> known = asks.knownRequest();
        return known.isPresent() ? known : of(asks.attempt(), asks.key(), asks);
    }

    /** Returns what {@code attempt} asks for under {@code key}; empty if it is gone. */
    Optional<Request> of(ApplicationAttemptId attempt, SchedulerRequestKey key) {
        SchedulerApplicationAttempt scheduled = scheduled(attempt);
        AppPlacementAllocator<?> allocator =
                scheduled == null ? null : scheduled.getAppSchedulingInfo().getAppPlacementAllocator(key);
        return allocator instanceof InterferenceAppPlacementAllocator<?> asks ? of(asks) : of(attempt, key, null);
    }

    /** @param asks who is to know it from now on; null for nobody */
    private Optional<Request> of(
            ApplicationAttemptId attempt, SchedulerRequestKey key, InterferenceAppPlacementAllocator<?> asks) {
        RMApp app = rmContext.getRMApps().get(attempt.getApplicationId());
        SchedulerApplicationAttempt scheduled = scheduled(attempt);
        if (app == null || scheduled == null) {
            return Optional.empty();
        }
        Queue queue = scheduled.getQueue();
        Request request = tasks.request(app, scheduled, key, scheduled.isWaitingForAMContainer());
        if (asks != null) {
            asks.know(request, scheduled, queue);
        }
        return Optional.of(request);
    }

    /** Returns null if it is gone. */
    SchedulerApplicationAttempt scheduled(ApplicationAttemptId attempt) {
        return ((AbstractYarnScheduler<?, ?>) rmContext.getScheduler()).getApplicationAttempt(attempt);
    }

    /**
     * Returns what {@code container} was asked for as; empty if its application is gone.
     *
     * @param asks through whom; empty if that is to be found out
     */
    Optional<Request> of(RMContainer container, Optional<InterferenceAppPlacementAllocator<?>> asks) {
        return asks.map(this::of)
                .orElseGet(() -> of(container.getApplicationAttemptId(), container.getAllocatedSchedulerKey()))
                .map(request ->
                        container.isAMContainer() && !request.applicationMaster() ? request.asMaster() : request);
    }
}
