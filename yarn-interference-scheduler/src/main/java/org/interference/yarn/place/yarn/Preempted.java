package org.interference.yarn.place.yarn;

import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainerEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;

/** Kills containers as a scheduler does for who is below its share: the application hears that it was preempted, and no attempt of the task counts as failed. */
public final class Preempted {
    private static final String BY_US = " (interference plugin)";

    private Preempted() {}

    /**
     * Kills a container, if it is still there. Not by YARN's event for it: under lazy preemption that would only mark the container.
     *
     * @param why told to the application
     * @return whether it was there
     */
    public static boolean kill(AbstractYarnScheduler<?, ?> scheduler, String container, String why) {
        ContainerId id = ContainerId.fromString(container);
        RMContainer running = scheduler.getRMContainer(id);
        if (running == null) {
            return false;
        }
        scheduler.completedContainer(running, status(id, why), RMContainerEventType.KILL);
        return true;
    }

    static ContainerStatus status(ContainerId container, String why) {
        return SchedulerUtils.createPreemptedContainerStatus(container, why + BY_US);
    }

    /** Returns whether a container with that status went for somebody who is below his share: not one that was killed here. */
    public static boolean isForAnother(ContainerStatus status) {
        return status.getExitStatus() == ContainerExitStatus.PREEMPTED
                && !status.getDiagnostics().endsWith(BY_US);
    }
}
