package org.interference.yarn.app;

import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.interference.yarn.learn.CompletedContainer;
import org.interference.yarn.profile.TaskIdentity;

/** What YARN says of a container that has ended. */
final class Ended {
    private static final double BYTES_OF_A_MB = 1 << 20;
    /** 128 + SIGKILL: how a kernel without memory ends a process. */
    private static final int KILLED = 137;
    /** 128 + SIGTERM: how a NodeManager ends a container that its ApplicationMaster or YARN has asked it to end. */
    private static final int TERMINATED = 143;

    private Ended() {}

    static boolean isKilled(int exitStatus) {
        return exitStatus == KILLED;
    }

    /**
     * Returns how it ended. An ApplicationMaster ends its long-lived workers itself, and YARN ends what an application leaves behind; both of
     * these have done their work.
     */
    static CompletedContainer.Ending by(int exitStatus) {
        return switch (exitStatus) {
            case ContainerExitStatus.SUCCESS,
                    ContainerExitStatus.ABORTED,
                    ContainerExitStatus.KILLED_BY_APPMASTER,
                    ContainerExitStatus.KILLED_AFTER_APP_COMPLETION,
                    TERMINATED -> CompletedContainer.Ending.DONE;
            case ContainerExitStatus.KILLED_EXCEEDED_PMEM -> CompletedContainer.Ending.EXHAUSTED;
            default -> CompletedContainer.Ending.CUT_SHORT;
        };
    }

    /**
     * Returns the same of a task with that role. An executor of an application that fails is stopped as one of an application that succeeds is. A task of MapReduce
     * that its application leaves behind has not done its work, as that does not end before it has; nor has one that its application stops, which is the slower one of
     * two attempts or makes room for a map: who has done his work ends by himself. Nor has anything on a node that is lost.
     */
    static CompletedContainer.Ending by(ContainerStatus status, String role) {
        CompletedContainer.Ending ending = by(status.getExitStatus());
        if (ending != CompletedContainer.Ending.DONE) {
            return ending;
        }
        boolean ofMapReduce = role.equals(TaskIdentity.MAP) || role.equals(TaskIdentity.REDUCE);
        if (ofMapReduce && status.getExitStatus() == ContainerExitStatus.KILLED_BY_APPMASTER) {
            return CompletedContainer.Ending.CUT_SHORT;
        }
        boolean aborted = status.getExitStatus() == ContainerExitStatus.ABORTED;
        if (aborted && SchedulerUtils.LOST_CONTAINER.equals(status.getDiagnostics())) {
            return CompletedContainer.Ending.CUT_SHORT;
        }
        if (aborted && SchedulerUtils.COMPLETED_APPLICATION.equals(status.getDiagnostics())) {
            return ofMapReduce ? CompletedContainer.Ending.CUT_SHORT : CompletedContainer.Ending.WITH_APPLICATION;
        }
        return role.startsWith(TaskIdentity.EXECUTOR) ? CompletedContainer.Ending.WITH_APPLICATION : ending;
    }

    /** Returns what it was given; empty if YARN does not say. */
    static Optional<CompletedContainer.Given> given(RMContainer container) {
        return Optional.ofNullable(container.getAllocatedResource())
                .map(resource -> new CompletedContainer.Given(
                        resource.getMemorySize() * BYTES_OF_A_MB, resource.getVirtualCores()));
    }
}
