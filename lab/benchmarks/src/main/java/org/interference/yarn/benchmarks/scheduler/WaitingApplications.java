package org.interference.yarn.benchmarks.scheduler;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.event.RMAppAttemptUnregistrationEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.interference.yarn.benchmarks.UnmanagedApplications;
import org.interference.yarn.place.yarn.YarnTasks;
import org.interference.yarn.profile.SharedTags;
import org.interference.yarn.profile.TaskSample;
import org.interference.yarn.rest.Sources;

/** The applications of a loaded cluster, each of one kind of task: what their ApplicationMasters ask for, hear and give back. Not thread-safe. */
final class WaitingApplications {
    private static final Priority PRIORITY = Priority.newInstance(1);
    private static final int PROFILE_SAMPLES = 20;
    private static final Duration RUN_TIME = Duration.ofSeconds(100);

    private final ResourceManager daemon;
    private final AbstractYarnScheduler<?, ?> scheduler;
    private final List<ApplicationAttemptId> attempts = new ArrayList<>();
    private final Map<ApplicationAttemptId, Integer> kinds = new HashMap<>();

    /** There are none yet. */
    WaitingApplications(ResourceManager daemon) {
        this.daemon = daemon;
        this.scheduler = (AbstractYarnScheduler<?, ?>) daemon.getResourceScheduler();
    }

    /** Has one more begin. */
    ApplicationId add(int kind) throws IOException, YarnException {
        ApplicationAttemptId attempt = begin(Workload.name(kind), kind);
        attempts.add(attempt);
        return attempt.getApplicationId();
    }

    private ApplicationAttemptId begin(String name, int kind) throws IOException, YarnException {
        ApplicationId application = UnmanagedApplications.submit(daemon, name, Workload.queue(kind));
        ApplicationAttemptId attempt = UnmanagedApplications.register(daemon, application);
        kinds.put(attempt, kind);
        return attempt;
    }

    /** Lets the plugin know tasks of an application as if many of its kind had run. */
    void profile(ApplicationId application, int kind, Sources plugin) {
        RMApp app = daemon.getRMContext().getRMApps().get(application);
        YarnTasks tasks = new YarnTasks(SharedTags.NONE);
        Random noise = new Random(kind);
        for (int i = 0; i < PROFILE_SAMPLES; i++) {
            plugin.learnt()
                    .profiles()
                    .record(new TaskSample(
                            tasks.identity(
                                    app,
                                    SchedulerRequestKey.create(ResourceRequest.newInstance(
                                            PRIORITY, ResourceRequest.ANY, Workload.SLOT, 1)),
                                    false),
                            Workload.levels(kind, noise),
                            RUN_TIME,
                            Instant.now()));
        }
    }

    ApplicationAttemptId attempt(int index) {
        return attempts.get(index);
    }

    /** Returns the kind of each. */
    Map<ApplicationAttemptId, Integer> kinds() {
        return Collections.unmodifiableMap(kinds);
    }

    /** Has one end and another of its kind, with a name of its own, begin. */
    void replace(int index, String name) throws IOException, YarnException {
        ApplicationAttemptId old = attempts.get(index);
        int kind = kinds.remove(old);
        daemon.getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMAppAttemptUnregistrationEvent(old, "", FinalApplicationStatus.SUCCEEDED, ""));
        RMApp app = daemon.getRMContext().getRMApps().get(old.getApplicationId());
        UnmanagedApplications.await("the application has ended", app::isAppInCompletedStates);
        attempts.set(index, begin(name, kind));
    }

    void ask(int containersOfEach) {
        for (ApplicationAttemptId attempt : attempts) {
            say(
                    attempt,
                    List.of(ResourceRequest.newInstance(
                            PRIORITY, ResourceRequest.ANY, Workload.SLOT, containersOfEach)),
                    List.of());
        }
    }

    /** Hands over what was allocated, and tells of each container that is not completed, whether it is new or not. */
    void pull(Consumer<RMContainer> live) {
        for (ApplicationAttemptId attempt : attempts) {
            say(attempt, List.of(), List.of());
            hearWhatHasEnded(attempt);
            scheduler.getApplicationAttempt(attempt).getLiveContainers().forEach(live);
        }
    }

    /** Gives back every container but some. */
    void releaseAllBut(Set<ContainerId> kept) {
        for (ApplicationAttemptId attempt : attempts) {
            List<ContainerId> ids = new ArrayList<>();
            for (RMContainer container :
                    scheduler.getApplicationAttempt(attempt).getLiveContainers()) {
                if (!kept.contains(container.getContainerId())) {
                    ids.add(container.getContainerId());
                }
            }
            say(attempt, List.of(), ids);
            hearWhatHasEnded(attempt);
        }
    }

    private void say(ApplicationAttemptId attempt, List<ResourceRequest> asks, List<ContainerId> released) {
        scheduler.allocate(attempt, asks, List.of(), released, List.of(), List.of(), new ContainerUpdates());
    }

    /** As an ApplicationMaster does; the ResourceManager keeps what has ended until then. */
    private void hearWhatHasEnded(ApplicationAttemptId attempt) {
        daemon.getRMContext()
                .getRMApps()
                .get(attempt.getApplicationId())
                .getCurrentAppAttempt()
                .pullJustFinishedContainers();
    }
}
