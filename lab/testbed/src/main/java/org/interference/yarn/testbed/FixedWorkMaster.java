package org.interference.yarn.testbed;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.ApplicationConstants;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.AMRMClient.ContainerRequest;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.client.api.NMTokenCache;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;

/**
 * The ApplicationMaster of jobs of fixed work. YARN does not manage it: it lives in the dispatcher's process, so that on hosts of
 * half a CPU the containers' work is what is scheduled, not the start of a JVM for each job. Thread-safe.
 */
public final class FixedWorkMaster {
    /** Also when interrupted it asks YARN again, which then throws. */
    private static final long LOOK_EVERY_NANOS = 500_000_000;

    private static final Priority PRIORITY = Priority.newInstance(1);

    private final Configuration conf;
    private final YarnClient client;
    private final Setting setting;

    public FixedWorkMaster(Configuration conf, YarnClient client, Setting setting) {
        this.conf = conf;
        this.client = client;
        this.setting = setting;
    }

    /** Submits {@code job}, and returns when its last container has ended; it then has succeeded or failed for YARN. */
    public void run(MixJob job) throws IOException, YarnException, InterruptedException {
        ApplicationId application = submit(job);
        UserGroupInformation user = UserGroupInformation.createRemoteUser(
                UserGroupInformation.getCurrentUser().getUserName());
        boolean over = false;
        try {
            user.addToken(token(application));
            user.doAs((PrivilegedExceptionAction<Void>) () -> {
                master(job);
                return null;
            });
            over = true;
        } finally {
            if (!over) {
                client.killApplication(application);
            }
        }
    }

    private ApplicationId submit(MixJob job) throws IOException, YarnException {
        ApplicationSubmissionContext submission = client.createApplication().getApplicationSubmissionContext();
        submission.setApplicationName(job.kind().name());
        submission.setApplicationTags(Set.of(job.tag()));
        submission.setQueue(job.queue());
        submission.setUnmanagedAM(true);
        submission.setMaxAppAttempts(1);
        submission.setPriority(Priority.newInstance(0));
        submission.setResource(slot());
        submission.setAMContainerSpec(
                ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(), null, null, null));
        return client.submitApplication(submission);
    }

    /** YARN hands the token out once it has made the attempt. */
    private Token<AMRMTokenIdentifier> token(ApplicationId application)
            throws IOException, YarnException, InterruptedException {
        Token<AMRMTokenIdentifier> token = client.getAMRMToken(application);
        while (token == null) {
            LockSupport.parkNanos(LOOK_EVERY_NANOS / 2);
            token = client.getAMRMToken(application);
        }
        return token;
    }

    private void master(MixJob job) throws IOException, YarnException, InterruptedException {
        // The default is one for the whole process.
        NMTokenCache tokens = new NMTokenCache();
        try (AMRMClient<ContainerRequest> scheduler = AMRMClient.createAMRMClient();
                NMClient nodes = NMClient.createNMClient()) {
            scheduler.setNMTokenCache(tokens);
            nodes.setNMTokenCache(tokens);
            scheduler.init(conf);
            scheduler.start();
            nodes.init(conf);
            nodes.start();
            scheduler.registerApplicationMaster("", 0, "");
            boolean succeeded = work(job, scheduler, nodes);
            scheduler.unregisterApplicationMaster(
                    succeeded ? FinalApplicationStatus.SUCCEEDED : FinalApplicationStatus.FAILED, "", "");
        }
    }

    private boolean work(MixJob job, AMRMClient<ContainerRequest> scheduler, NMClient nodes)
            throws IOException, YarnException, InterruptedException {
        List<ContainerRequest> wanted = new ArrayList<>();
        for (int i = 0; i < job.containers(); i++) {
            ContainerRequest request = request(job, i);
            wanted.add(request);
            scheduler.addContainerRequest(request);
        }
        int ended = 0;
        int failed = 0;
        while (ended < job.containers()) {
            AllocateResponse response = scheduler.allocate((float) ended / job.containers());
            for (Container container : response.getAllocatedContainers()) {
                Optional<ContainerRequest> request = wanted.stream()
                        .filter(candidate -> suits(candidate, container))
                        .findFirst();
                if (request.isPresent()) {
                    requireSlot(container.getResource());
                    wanted.remove(request.get());
                    scheduler.removeContainerRequest(request.get());
                    nodes.startContainer(container, launch(job));
                } else {
                    scheduler.releaseAssignedContainer(container.getId());
                }
            }
            for (ContainerStatus status : response.getCompletedContainersStatuses()) {
                if (status.getExitStatus() != ContainerExitStatus.ABORTED) {
                    ended++;
                    failed += status.getExitStatus() == ContainerExitStatus.SUCCESS ? 0 : 1;
                }
            }
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
        return failed == 0;
    }

    /** A scheduler that rounds up would fill the hosts with fewer containers than another. */
    private void requireSlot(Resource given) {
        if (given.getMemorySize() != setting.slotMegabytes()) {
            throw new IllegalStateException("the scheduler made a container of %d MB of a slot of %d MB"
                    .formatted(given.getMemorySize(), setting.slotMegabytes()));
        }
    }

    private static boolean suits(ContainerRequest request, Container container) {
        return request.getNodes() == null
                || request.getNodes().contains(container.getNodeId().getHost());
    }

    private ContainerRequest request(MixJob job, int index) {
        return job.hosts().isEmpty()
                ? new ContainerRequest(slot(), null, null, PRIORITY)
                : new ContainerRequest(slot(), new String[] {job.hosts().get(index)}, null, PRIORITY, false);
    }

    private ContainerLaunchContext launch(MixJob job) {
        String command = "exec %s %s 1>%s/stdout 2>%s/stderr"
                .formatted(
                        setting.program(),
                        String.join(" ", job.kind().work()),
                        ApplicationConstants.LOG_DIR_EXPANSION_VAR,
                        ApplicationConstants.LOG_DIR_EXPANSION_VAR);
        Map<String, String> environment = Map.of(
                "TESTBED_RECEIVER",
                setting.receiver(),
                "TESTBED_TIMES",
                setting.times().toString());
        return ContainerLaunchContext.newInstance(
                Map.of(), environment, List.of(command), Map.<String, ByteBuffer>of(), null, null);
    }

    private Resource slot() {
        return Resource.newInstance(setting.slotMegabytes(), 1);
    }
}
