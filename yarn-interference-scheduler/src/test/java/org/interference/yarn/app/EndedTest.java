package org.interference.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.interference.yarn.learn.CompletedContainer.Ending;
import org.junit.jupiter.api.Test;

/** How YARN says that a container has ended, as {@code SchedulerUtils} makes it. */
class EndedTest {
    private static final ContainerId CONTAINER =
            ContainerId.newContainerId(ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), 2);

    private static ContainerStatus aborted(String why) {
        return SchedulerUtils.createAbnormalContainerStatus(CONTAINER, why);
    }

    private static ContainerStatus exited(int status) {
        return ContainerStatus.newInstance(CONTAINER, ContainerState.COMPLETE, "", status);
    }

    @Test
    void whoHasExitedHasDoneItsWorkAndAnExecutorIfItsApplicationHas() {
        for (int status : new int[] {0, 143}) {
            assertThat(Ended.by(exited(status), "map")).isEqualTo(Ending.DONE);
            assertThat(Ended.by(exited(status), "executor-1")).isEqualTo(Ending.WITH_APPLICATION);
        }
        assertThat(Ended.by(exited(1), "map")).isEqualTo(Ending.CUT_SHORT);
    }

    /** The slower of two attempts, or a reduce that makes room for a map. An executor is stopped when there is no more work for it. */
    @Test
    void mapThatItsApplicationMasterStopsHasNotDoneItsWork() {
        ContainerStatus stopped = exited(ContainerExitStatus.KILLED_BY_APPMASTER);

        assertThat(Ended.by(stopped, "map")).isEqualTo(Ending.CUT_SHORT);
        assertThat(Ended.by(stopped, "reduce")).isEqualTo(Ending.CUT_SHORT);
        assertThat(Ended.by(stopped, "executor-1")).isEqualTo(Ending.WITH_APPLICATION);
    }

    /** Of a job that is killed, or whose ApplicationMaster ends, all of them. */
    @Test
    void mapThatItsApplicationLeavesBehindHasNotDoneItsWork() {
        ContainerStatus left = aborted(SchedulerUtils.COMPLETED_APPLICATION);

        assertThat(Ended.by(left, "map")).isEqualTo(Ending.CUT_SHORT);
        assertThat(Ended.by(left, "reduce")).isEqualTo(Ending.CUT_SHORT);
        assertThat(Ended.by(left, "priority-1"))
                .as("nobody ends a service otherwise")
                .isEqualTo(Ending.WITH_APPLICATION);
    }

    @Test
    void nobodyOnALostNodeHasDoneItsWork() {
        for (String role : new String[] {"map", "executor-1", "priority-1"}) {
            assertThat(Ended.by(aborted(SchedulerUtils.LOST_CONTAINER), role)).isEqualTo(Ending.CUT_SHORT);
        }
    }

    @Test
    void whoIsReleasedHasDoneItsWork() {
        assertThat(Ended.by(aborted(SchedulerUtils.RELEASED_CONTAINER), "map")).isEqualTo(Ending.DONE);
    }
}
