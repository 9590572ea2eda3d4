package org.interference.yarn.place.yarn;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerUtils;
import org.junit.jupiter.api.Test;

class PreemptedTest {
    private static final ContainerId CONTAINER =
            ContainerId.newContainerId(ApplicationAttemptId.newInstance(ApplicationId.newInstance(1, 1), 1), 2);

    /** Where somebody was preempted the parent alone decides for a while. */
    @Test
    void whoWasKilledHereDidNotGoForAnother() {
        assertThat(Preempted.isForAnother(Preempted.status(CONTAINER, "its memory ran short")))
                .isFalse();
        assertThat(Preempted.isForAnother(
                        SchedulerUtils.createPreemptedContainerStatus(CONTAINER, SchedulerUtils.PREEMPTED_CONTAINER)))
                .isTrue();
        assertThat(Preempted.isForAnother(
                        SchedulerUtils.createAbnormalContainerStatus(CONTAINER, SchedulerUtils.LOST_CONTAINER)))
                .isFalse();
    }
}
