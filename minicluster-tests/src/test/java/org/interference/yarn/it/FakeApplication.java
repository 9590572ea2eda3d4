package org.interference.yarn.it;

import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;

import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerUpdateType;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.UpdateContainerRequest;
import org.apache.hadoop.yarn.api.records.UpdatedContainer;
import org.apache.hadoop.yarn.client.ClientRMProxy;
import org.apache.hadoop.yarn.client.api.AMRMClient;
import org.apache.hadoop.yarn.client.api.NMClient;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.security.AMRMTokenIdentifier;

/** An application whose unmanaged ApplicationMaster is the test: it asks for containers over RPC and starts what it likes. */
final class FakeApplication implements AutoCloseable {

    private final ApplicationId id;
    private final UserGroupInformation user;
    private final AMRMClient<AMRMClient.ContainerRequest> master;
    private final NMClient nodes;

    private FakeApplication(
            ApplicationId id,
            UserGroupInformation user,
            AMRMClient<AMRMClient.ContainerRequest> master,
            NMClient nodes) {
        this.id = id;
        this.user = user;
        this.master = master;
        this.nodes = nodes;
    }

    /** Submits and registers an application; {@code tags} as a user would give them. */
    static FakeApplication start(Configuration conf, String name, String... tags) throws Exception {
        try (YarnClient client = YarnClient.createYarnClient()) {
            client.init(conf);
            client.start();
            ApplicationSubmissionContext submission = client.createApplication().getApplicationSubmissionContext();
            submission.setApplicationName(name);
            submission.setApplicationTags(Set.of(tags));
            submission.setUnmanagedAM(true);
            submission.setQueue("default");
            submission.setPriority(Priority.newInstance(0));
            submission.setAMContainerSpec(launch(List.of()));
            submission.setResource(Resource.newInstance(256, 1));
            ApplicationId id = client.submitApplication(submission);
            await("AMRM token of " + name).atMost(PATIENCE).until(() -> client.getAMRMToken(id) != null);
            Token<AMRMTokenIdentifier> token = client.getAMRMToken(id);
            token.setService(ClientRMProxy.getAMRMTokenService(conf));
            UserGroupInformation user = UserGroupInformation.createRemoteUser(
                    UserGroupInformation.getCurrentUser().getShortUserName());
            user.addToken(token);
            return user.doAs((PrivilegedExceptionAction<FakeApplication>) () -> register(conf, id, user));
        }
    }

    private static FakeApplication register(Configuration conf, ApplicationId id, UserGroupInformation user)
            throws Exception {
        AMRMClient<AMRMClient.ContainerRequest> master = AMRMClient.createAMRMClient();
        master.init(conf);
        master.start();
        master.registerApplicationMaster("localhost", 0, "");
        NMClient nodes = NMClient.createNMClient();
        nodes.setNMTokenCache(master.getNMTokenCache());
        nodes.init(conf);
        nodes.start();
        return new FakeApplication(id, user, master, nodes);
    }

    /** Asks for {@code count} containers at once and waits until all of them are allocated. */
    List<Container> ask(int count, int memoryMb, int priority) throws Exception {
        for (int i = 0; i < count; i++) {
            master.addContainerRequest(new AMRMClient.ContainerRequest(
                    Resource.newInstance(memoryMb, 1), null, null, Priority.newInstance(priority)));
        }
        List<Container> allocated = new ArrayList<>();
        await("%d containers of %d MB".formatted(count, memoryMb))
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    allocated.addAll(asUser(() -> master.allocate(0)).getAllocatedContainers());
                    return allocated.size() >= count;
                });
        // What was asked for is had; without this the client would ask again.
        master.getMatchingRequests(Priority.newInstance(priority), "*", Resource.newInstance(memoryMb, 1))
                .forEach(matching -> List.copyOf(matching).forEach(master::removeContainerRequest));
        return allocated;
    }

    void start(Container container, String command) throws Exception {
        asUser(() -> nodes.startContainer(container, launch(List.of(command))));
    }

    /** Stops what runs in {@code container}, and runs {@code command} in it instead. */
    void restart(Container container, String command) throws Exception {
        asUser(() -> {
            nodes.reInitializeContainer(container.getId(), launch(List.of(command)), true);
            return null;
        });
    }

    /** Gives {@code container} more memory while it runs, and waits until its node knows. */
    void increase(Container container, int memoryMb) throws Exception {
        master.requestContainerUpdate(
                container,
                UpdateContainerRequest.newInstance(
                        container.getVersion(),
                        container.getId(),
                        ContainerUpdateType.INCREASE_RESOURCE,
                        Resource.newInstance(memoryMb, 1),
                        null));
        List<UpdatedContainer> updated = new ArrayList<>();
        await("%d MB for %s".formatted(memoryMb, container.getId()))
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    updated.addAll(asUser(() -> master.allocate(0)).getUpdatedContainers());
                    return !updated.isEmpty();
                });
        asUser(() -> {
            nodes.updateContainerResource(updated.get(0).getContainer());
            return null;
        });
    }

    void kill(Container container) throws Exception {
        asUser(() -> {
            nodes.stopContainer(container.getId(), container.getNodeId());
            return null;
        });
    }

    void release(List<Container> containers) throws Exception {
        for (Container container : containers) {
            ContainerId id = container.getId();
            master.releaseAssignedContainer(id);
        }
        asUser(() -> master.allocate(0));
    }

    /** Returns what the ResourceManager says of an application that was closed. */
    FinalApplicationStatus finalStatus(Configuration conf) throws Exception {
        try (YarnClient client = YarnClient.createYarnClient()) {
            client.init(conf);
            client.start();
            return await("end of " + id)
                    .atMost(PATIENCE)
                    .until(
                            () -> client.getApplicationReport(id).getFinalApplicationStatus(),
                            status -> status != FinalApplicationStatus.UNDEFINED);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            asUser(() -> {
                master.unregisterApplicationMaster(FinalApplicationStatus.SUCCEEDED, "", "");
                return null;
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        nodes.stop();
        master.stop();
    }

    private <T> T asUser(PrivilegedExceptionAction<T> action) throws IOException, InterruptedException {
        return user.doAs(action);
    }

    private static ContainerLaunchContext launch(List<String> commands) {
        return ContainerLaunchContext.newInstance(Map.of(), Map.of(), commands, null, null, null);
    }
}
