package org.interference.yarn.benchmarks;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.yarn.api.protocolrecords.GetNewApplicationRequest;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMAppState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.RMAppAttemptState;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.event.RMAppAttemptRegistrationEvent;
import org.apache.hadoop.yarn.util.Records;

/** Applications whose ApplicationMaster is the benchmark. */
public final class UnmanagedApplications {
    private static final long LONGEST_WAIT_NANOS = 600_000_000_000L;
    private static final long POLL_NANOS = 1_000_000;
    private static final Resource CONTAINER = Resource.newInstance(1024, 1);

    private UnmanagedApplications() {}

    /** Submits an application, in this process, and waits until it is accepted. */
    public static ApplicationId submit(ResourceManager daemon, String name, String queue)
            throws IOException, YarnException {
        ApplicationSubmissionContext submission = Records.newRecord(ApplicationSubmissionContext.class);
        submission.setApplicationId(daemon.getClientRMService()
                .getNewApplication(GetNewApplicationRequest.newInstance())
                .getApplicationId());
        submission.setApplicationName(name);
        submission.setUnmanagedAM(true);
        submission.setMaxAppAttempts(1);
        submission.setQueue(queue);
        submission.setPriority(Priority.newInstance(0));
        submission.setAMContainerSpec(
                ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(), null, null, null));
        submission.setResource(CONTAINER);
        daemon.getClientRMService().submitApplication(SubmitApplicationRequest.newInstance(submission));
        ApplicationId application = submission.getApplicationId();
        await(
                application + " is accepted",
                () -> daemon.getRMContext().getRMApps().get(application).getState() == RMAppState.ACCEPTED);
        return application;
    }

    /** Registers the ApplicationMaster of an accepted application; from then on it runs. */
    public static ApplicationAttemptId register(ResourceManager daemon, ApplicationId application) {
        RMApp app = daemon.getRMContext().getRMApps().get(application);
        await(
                application + " awaits its master",
                () -> app.getCurrentAppAttempt().getState() == RMAppAttemptState.LAUNCHED);
        ApplicationAttemptId attempt = app.getCurrentAppAttempt().getAppAttemptId();
        daemon.getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMAppAttemptRegistrationEvent(attempt, "localhost", 0, ""));
        await(application + " runs", () -> app.getState() == RMAppState.RUNNING);
        return attempt;
    }

    /**
     * Waits until {@code condition} comes true.
     *
     * @throws IllegalStateException if it does not within ten minutes: nothing is wrong where the machine has other work
     */
    public static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LONGEST_WAIT_NANOS;
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("it did not come true in time that " + what);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
