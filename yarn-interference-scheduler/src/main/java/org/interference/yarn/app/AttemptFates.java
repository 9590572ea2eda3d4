package org.interference.yarn.app;

import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttempt;
import org.interference.yarn.learn.FinishedTasks;

/** What the ResourceManager says became of attempts. Thread-safe; takes locks of application and attempt, so not under the scheduler's. */
final class AttemptFates implements FinishedTasks.Fates {
    private final RMContext context;

    AttemptFates(RMContext context) {
        this.context = context;
    }

    @Override
    public Optional<Boolean> succeeded(String container) {
        ApplicationAttemptId id = ContainerId.fromString(container).getApplicationAttemptId();
        RMApp application = context.getRMApps().get(id.getApplicationId());
        RMAppAttempt attempt = application == null ? null : application.getRMAppAttempt(id);
        FinalApplicationStatus status = attempt == null ? null : attempt.getFinalApplicationStatus();
        // Who is killed need not have failed: nobody ends a service otherwise.
        return status == null || status == FinalApplicationStatus.UNDEFINED
                ? Optional.empty()
                : Optional.of(status != FinalApplicationStatus.FAILED);
    }
}
