package org.interference.yarn.sim.faults;

import java.io.IOException;
import java.lang.reflect.Field;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceOption;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatResponse;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerRequest;
import org.apache.hadoop.yarn.server.api.records.NodeHealthStatus;
import org.apache.hadoop.yarn.server.api.records.NodeStatus;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.event.RMAppAttemptRegistrationEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeDecommissioningEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeResourceUpdateEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.SchedulerNode;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.util.Records;
import org.interference.yarn.sim.engine.HandDrivenDispatcher;
import org.interference.yarn.sim.engine.HandDrivenResourceManager;
import org.interference.yarn.sim.engine.ResourceManagerDriver;
import org.interference.yarn.sim.engine.SchedulerConfiguration;
import org.interference.yarn.sim.faults.FaultPlan.Applicant;

/** One ResourceManager, and what nodes, administrators and ApplicationMasters say to it. Not thread-safe. */
final class Daemon implements AutoCloseable {
    private static final Field LAST_HEARTBEAT = heartbeat();

    private final HandDrivenResourceManager daemon;
    private final AbstractYarnScheduler<?, ?> scheduler;

    Daemon(Configuration settings, AbstractYarnScheduler<?, ?> scheduler, boolean standsBy) {
        HandDrivenResourceManager.fixIdentities();
        SchedulerConfiguration conf = new SchedulerConfiguration(settings, scheduler);
        conf.set(YarnConfiguration.RM_CONFIGURATION_PROVIDER_CLASS, SettingsFiles.class.getName());
        if (standsBy) {
            conf.setBoolean(YarnConfiguration.RM_HA_ENABLED, true);
            conf.setBoolean(YarnConfiguration.AUTO_FAILOVER_ENABLED, false);
            conf.set(YarnConfiguration.RM_HA_IDS, "rm1,rm2");
            conf.set(YarnConfiguration.RM_HA_ID, "rm1");
            conf.set(YarnConfiguration.RM_HOSTNAME + ".rm1", "localhost");
            conf.set(YarnConfiguration.RM_HOSTNAME + ".rm2", "localhost");
        }
        this.scheduler = scheduler;
        this.daemon = new HandDrivenResourceManager(conf);
        daemon.dispatcher().watch(new CreationTimes(scheduler)::before);
        daemon.start();
        daemon.drainEvents();
    }

    AbstractYarnScheduler<?, ?> scheduler() {
        return scheduler;
    }

    HandDrivenDispatcher dispatcher() {
        return daemon.dispatcher();
    }

    void drain() {
        daemon.drainEvents();
    }

    boolean isActive() {
        return daemon.getRMContext().getHAServiceState() == HAServiceState.ACTIVE;
    }

    /** As an administrator does by {@code rmadmin -transitionToActive}. */
    void activate() throws IOException {
        daemon.getAdminService().transitionToActive(new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER_FORCED));
        daemon.drainEvents();
    }

    /** As an administrator does by {@code rmadmin -refreshQueues}. */
    void refreshQueues() throws IOException, YarnException {
        daemon.getAdminService().refreshQueues();
        daemon.drainEvents();
    }

    void register(Worker node) throws IOException, YarnException {
        Resource capacity = capacity(node);
        node.registered(daemon.getResourceTrackerService()
                .registerNodeManager(RegisterNodeManagerRequest.newInstance(
                        node.id(), 2, capacity, "3.5.0", List.of(), List.of(), Set.of(), capacity)));
        daemon.drainEvents();
    }

    private static Resource capacity(Worker node) {
        return Resource.newInstance(node.slots() * ResourceManagerDriver.SLOT_MEGABYTES, node.slots());
    }

    void lose(Worker node) {
        handle(new RMNodeEvent(node.id(), RMNodeEventType.EXPIRE));
    }

    void decommission(Worker node, boolean graceful) {
        handle(
                graceful
                        ? new RMNodeDecommissioningEvent(node.id(), 3600)
                        : new RMNodeEvent(node.id(), RMNodeEventType.DECOMMISSION));
    }

    void recommission(Worker node) {
        handle(new RMNodeEvent(node.id(), RMNodeEventType.RECOMMISSION));
    }

    void resize(Worker node) {
        handle(new RMNodeResourceUpdateEvent(node.id(), ResourceOption.newInstance(capacity(node), -1)));
    }

    /** By this machine's clock nobody is late; this one is. */
    void silence(Worker node) {
        SchedulerNode known = scheduler.getSchedulerNode(node.id());
        if (known != null) {
            try {
                LAST_HEARTBEAT.setLong(known, Long.MIN_VALUE / 4);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static Field heartbeat() {
        try {
            Field field = SchedulerNode.class.getDeclaredField("lastHeartbeatMonotonicTime");
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    private void handle(RMNodeEvent event) {
        daemon.dispatcher().getEventHandler().handle(event);
        daemon.drainEvents();
    }

    /** Sends a heartbeat, and leaves what it causes to {@link #drain}. */
    NodeHeartbeatResponse heartbeat(Worker node, List<Worker.Running> ended, byte[] report)
            throws IOException, YarnException {
        List<ContainerStatus> statuses = new java.util.ArrayList<>();
        node.running().forEach(task -> statuses.add(status(task, ContainerState.RUNNING)));
        ended.forEach(task -> statuses.add(status(task, ContainerState.COMPLETE)));
        ResourceUtilization utilization = ResourceUtilization.newInstance(0, 0, 0);
        NodeStatus status = NodeStatus.newInstance(
                node.id(),
                node.responseId(),
                statuses,
                List.of(),
                NodeHealthStatus.newInstance(true, "", 0),
                utilization,
                ResourceManagerDriver.carrying(utilization, report),
                List.of());
        return daemon.getResourceTrackerService()
                .nodeHeartbeat(NodeHeartbeatRequest.newInstance(
                        status,
                        node.registration().getContainerTokenMasterKey(),
                        node.registration().getNMTokenMasterKey(),
                        Set.of()));
    }

    private static ContainerStatus status(Worker.Running task, ContainerState state) {
        int exit = state == ContainerState.COMPLETE ? ContainerExitStatus.SUCCESS : ContainerExitStatus.INVALID;
        ContainerStatus status =
                ContainerStatus.newInstance(task.container().getId(), ExecutionType.GUARANTEED, state, "", exit);
        status.setCapability(task.container().getResource());
        return status;
    }

    /** Submits an application whose ApplicationMaster runs elsewhere. */
    void submit(ApplicationAttemptId attempt, Applicant applicant) throws IOException, YarnException {
        ApplicationSubmissionContext submission = Records.newRecord(ApplicationSubmissionContext.class);
        submission.setApplicationId(attempt.getApplicationId());
        submission.setApplicationName(applicant.name());
        submission.setApplicationType(applicant.type());
        submission.setApplicationTags(applicant.tags());
        submission.setUnmanagedAM(true);
        submission.setQueue("root." + SettingsFiles.queue(applicant.queue()));
        submission.setPriority(Priority.newInstance(0));
        submission.setAMContainerSpec(
                ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(), null, null, null));
        submission.setResource(Resource.newInstance(ResourceManagerDriver.SLOT_MEGABYTES, 1));
        try {
            UserGroupInformation.createRemoteUser(applicant.tenant().name().toLowerCase(java.util.Locale.ROOT))
                    .doAs((PrivilegedExceptionAction<Object>) () -> daemon.getClientRMService()
                            .submitApplication(SubmitApplicationRequest.newInstance(submission)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        daemon.drainEvents();
        daemon.dispatcher().getEventHandler().handle(new RMAppAttemptRegistrationEvent(attempt, "localhost", 0, ""));
        daemon.drainEvents();
    }

    List<Container> allocate(ApplicationAttemptId attempt, Optional<ResourceRequest> ask, List<ContainerId> released) {
        List<Container> got = scheduler
                .allocate(
                        attempt,
                        ask.stream().toList(),
                        List.of(),
                        released,
                        List.of(),
                        List.of(),
                        new ContainerUpdates())
                .getContainers();
        daemon.drainEvents();
        return got;
    }

    /** Does what the FairScheduler's update thread does; other schedulers have none. */
    void update() {
        if (scheduler instanceof FairScheduler fair) {
            fair.update();
        }
    }

    @Override
    public void close() {
        daemon.stop();
    }
}
