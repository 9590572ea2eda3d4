package org.interference.yarn.app;

import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerApplicationAttempt;
import org.interference.yarn.place.Occupant;
import org.interference.yarn.place.Request;
import org.interference.yarn.place.yarn.YarnTasks;
import org.interference.yarn.profile.TaskIdentity;
import org.interference.yarn.rest.Sources;

/**
 * Which task runs in a container, and for whom, as YARN knows it. Thread-safe: it reads only what YARN keeps in concurrent maps and fields, as
 * it is called under locks.
 */
final class ContainerTasks {
    private final RMContext rmContext;
    private final YarnTasks tasks;
    private final KnownContainers containers;

    ContainerTasks(RMContext rmContext, YarnTasks tasks, KnownContainers containers) {
        this.rmContext = rmContext;
        this.tasks = tasks;
        this.containers = containers;
    }

    /** Returns the task in a container that some node reported. */
    Optional<Sources.Task> of(String container) {
        return containers.find(container).flatMap(this::of);
    }

    Optional<TaskIdentity> identity(String container) {
        return of(container).map(Sources.Task::identity);
    }

    Optional<Sources.Task> of(RMContainer container) {
        ApplicationId application = container.getApplicationAttemptId().getApplicationId();
        RMApp app = app(container);
        if (app == null || container.getAllocatedSchedulerKey() == null) {
            return Optional.empty();
        }
        boolean applicationMaster = container.isAMContainer();
        return Optional.of(new Sources.Task(
                application.toString(),
                tasks.identity(app, container.getAllocatedSchedulerKey(), applicationMaster),
                applicationMaster));
    }

    /** Returns who is in a container, and what his tags say. */
    Optional<Occupant> occupant(String container) {
        return containers.find(container).flatMap(known -> {
            RMApp app = app(known);
            SchedulerApplicationAttempt attempt = attempt(known);
            return app == null || attempt == null ? Optional.empty() : Optional.of(tasks.occupant(app, attempt, known));
        });
    }

    /** Returns as what a container was asked for; empty if its application is gone. */
    Optional<Request> request(RMContainer container) {
        RMApp app = app(container);
        SchedulerApplicationAttempt attempt = attempt(container);
        return app == null || attempt == null || container.getAllocatedSchedulerKey() == null
                ? Optional.empty()
                : Optional.of(
                        tasks.request(app, attempt, container.getAllocatedSchedulerKey(), container.isAMContainer()));
    }

    private RMApp app(RMContainer container) {
        return rmContext.getRMApps().get(container.getApplicationAttemptId().getApplicationId());
    }

    private SchedulerApplicationAttempt attempt(RMContainer container) {
        return ((AbstractYarnScheduler<?, ?>) rmContext.getScheduler())
                .getApplicationAttempt(container.getApplicationAttemptId());
    }
}
