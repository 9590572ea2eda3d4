package org.interference.yarn.sim.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;
import org.apache.hadoop.yarn.api.protocolrecords.SubmitApplicationRequest;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ApplicationSubmissionContext;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerLaunchContext;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.api.records.impl.pb.ResourceUtilizationPBImpl;
import org.apache.hadoop.yarn.event.Event;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.proto.YarnProtos.ResourceUtilizationProto;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatResponse;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerResponse;
import org.apache.hadoop.yarn.server.api.records.NodeHealthStatus;
import org.apache.hadoop.yarn.server.api.records.NodeStatus;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.event.RMAppAttemptRegistrationEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.event.RMAppAttemptUnregistrationEvent;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ResourceScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.apache.hadoop.yarn.util.Records;
import org.interference.yarn.wire.HeartbeatCodec;

/** What nodes and ApplicationMasters say to one ResourceManager, through its own services. Not thread-safe. */
public final class ResourceManagerDriver implements AutoCloseable {
    static final String APPLICATION_TYPE = "simulated";
    /** Who submits: whoever runs this. A tag is its user's own (ADR-0011). */
    static final String USER = System.getProperty("user.name");

    public static final int SLOT_MEGABYTES = 1024;

    private static final Resource SLOT = Resource.newInstance(SLOT_MEGABYTES, 1);
    private static final int NODES_PER_SUBNET = 250;
    /** 128 and the number of the signal, as a shell says it. */
    private static final int KILLED = 137;

    private final HandDrivenResourceManager daemon;
    private final ResourceScheduler scheduler;
    private final List<Integer> responseIds = new ArrayList<>();
    private final List<RegisterNodeManagerResponse> registrations = new ArrayList<>();

    ResourceManagerDriver(SchedulerConfiguration conf) {
        HandDrivenResourceManager.fixIdentities();
        this.daemon = new HandDrivenResourceManager(conf);
        this.scheduler = conf.scheduler();
        daemon.start();
        daemon.drainEvents();
    }

    /** Returns the id of the node with {@code index}: addresses of this machine, because YARN resolves them. */
    public static NodeId nodeId(int index) {
        return NodeId.newInstance(
                "127.0.%d.%d".formatted(1 + index / NODES_PER_SUBNET, 1 + index % NODES_PER_SUBNET), 1);
    }

    void register(NodeId node, int slots) throws YarnException, IOException {
        Resource capacity = Resource.newInstance(SLOT_MEGABYTES * slots, slots);
        registrations.add(daemon.getResourceTrackerService()
                .registerNodeManager(RegisterNodeManagerRequest.newInstance(
                        node, 2, capacity, "3.5.0", List.of(), List.of(), Set.of(), capacity)));
        responseIds.add(0);
        daemon.drainEvents();
    }

    /** Submits a job whose ApplicationMaster runs elsewhere, and asks for all of its containers. */
    void submit(SimulatedJob run, Inputs inputs) throws YarnException, IOException {
        ApplicationSubmissionContext submission = Records.newRecord(ApplicationSubmissionContext.class);
        submission.setApplicationId(run.attempt().getApplicationId());
        submission.setApplicationName(run.toldName());
        submission.setApplicationType(APPLICATION_TYPE);
        submission.setApplicationTags(Set.of("ifc:" + run.toldName(), "ifc-restartable"));
        submission.setUnmanagedAM(true);
        submission.setQueue("root." + run.job().queue());
        submission.setPriority(Priority.newInstance(0));
        submission.setAMContainerSpec(
                ContainerLaunchContext.newInstance(Map.of(), Map.of(), List.of(), null, null, null));
        submission.setResource(SLOT);
        daemon.getClientRMService().submitApplication(SubmitApplicationRequest.newInstance(submission));
        daemon.drainEvents();
        handle(new RMAppAttemptRegistrationEvent(run.attempt(), "localhost", 0, ""));
        List<ResourceRequest> asks = new ArrayList<>();
        run.kinds().forEach(kind -> asks.addAll(asks(run, kind, inputs)));
        allocate(run.attempt(), asks);
    }

    /** Asks again for what a job's tasks of one kind still need. */
    void ask(SimulatedJob run, String kind, Inputs inputs) {
        allocate(run.attempt(), asks(run, kind, inputs));
    }

    private static List<ResourceRequest> asks(SimulatedJob run, String kind, Inputs inputs) {
        Priority priority = Priority.newInstance(run.kinds().indexOf(kind));
        return inputs.asked(run, kind).stream()
                .map(asked -> ResourceRequest.newInstance(priority, asked.getKey(), SLOT, asked.getValue()))
                .toList();
    }

    /** Returns the containers that the attempt has got since the last time. */
    List<Container> takeContainers(ApplicationAttemptId attempt) {
        return allocate(attempt, List.of());
    }

    /** Returns the attempts that got containers since the last time. */
    Set<ApplicationAttemptId> takeAllocated() {
        return daemon.dispatcher().takeAllocated();
    }

    void finish(ApplicationAttemptId attempt) {
        handle(new RMAppAttemptUnregistrationEvent(attempt, "", FinalApplicationStatus.SUCCEEDED, ""));
    }

    /** Sends one node's heartbeat, and returns which of its containers the ResourceManager wants killed. */
    List<ContainerId> heartbeat(Node node, List<RunningTask> finished, Optional<byte[]> payload)
            throws YarnException, IOException {
        List<ContainerStatus> statuses = new ArrayList<>();
        node.running().forEach(task -> statuses.add(status(task, ContainerState.RUNNING)));
        finished.forEach(task -> statuses.add(status(task, ContainerState.COMPLETE)));
        ResourceUtilization utilization = utilization(node);
        NodeStatus status = NodeStatus.newInstance(
                node.id(),
                responseIds.get(node.index()),
                statuses,
                List.of(),
                NodeHealthStatus.newInstance(true, "", 0),
                utilization,
                payload.map(bytes -> carrying(utilization, bytes)).orElse(utilization),
                List.of());
        RegisterNodeManagerResponse registration = registrations.get(node.index());
        NodeHeartbeatResponse response = daemon.getResourceTrackerService()
                .nodeHeartbeat(NodeHeartbeatRequest.newInstance(
                        status,
                        registration.getContainerTokenMasterKey(),
                        registration.getNMTokenMasterKey(),
                        Set.of()));
        responseIds.set(node.index(), response.getResponseId());
        daemon.drainEvents();
        return response.getContainersToCleanup();
    }

    /** What any NodeManager tells of its node, with the plugin or without. */
    private static ResourceUtilization utilization(Node node) {
        int usedMb = node.memoryMb() < Double.POSITIVE_INFINITY ? (int) Math.ceil(node.usedMemoryMb()) : 0;
        return ResourceUtilization.newInstance(usedMb, usedMb, usedMb > 0 ? (float) node.cpu() : 0);
    }

    /** Does what the FairScheduler's update thread does; other schedulers have none. */
    void update() {
        if (scheduler instanceof FairScheduler fair) {
            fair.update();
        }
    }

    public static ApplicationAttemptId attempt(int job) {
        return ApplicationAttemptId.newInstance(
                ApplicationId.newInstance(HandDrivenResourceManager.CLUSTER_TIMESTAMP, job + 1), 1);
    }

    @Override
    public void close() {
        daemon.stop();
    }

    private List<Container> allocate(ApplicationAttemptId attempt, List<ResourceRequest> asks) {
        List<Container> containers = scheduler
                .allocate(attempt, asks, List.of(), List.of(), List.of(), List.of(), new ContainerUpdates())
                .getContainers();
        daemon.drainEvents();
        return containers;
    }

    /** Has the ResourceManager handle an event, and what follows. */
    void handle(Event<?> event) {
        daemon.dispatcher().getEventHandler().handle(event);
        daemon.drainEvents();
    }

    private static ContainerStatus status(RunningTask task, ContainerState state) {
        int exit = state == ContainerState.COMPLETE ? exit(task) : ContainerExitStatus.INVALID;
        ContainerStatus status =
                ContainerStatus.newInstance(task.container().getId(), ExecutionType.GUARANTEED, state, "", exit);
        status.setCapability(SLOT);
        return status;
    }

    private static int exit(RunningTask task) {
        return task.killed().isEmpty() ? ContainerExitStatus.SUCCESS : KILLED;
    }

    /** Returns {@code utilization} with a node's report in it, as the NodeManager's plugin sends it. */
    public static ResourceUtilization carrying(ResourceUtilization utilization, byte[] payload) {
        ResourceUtilizationProto proto = ((ResourceUtilizationPBImpl) utilization).getProto();
        UnknownFieldSet.Field blob = UnknownFieldSet.Field.newBuilder()
                .addLengthDelimited(ByteString.copyFrom(payload))
                .build();
        UnknownFieldSet fields = UnknownFieldSet.newBuilder(proto.getUnknownFields())
                .addField(HeartbeatCodec.CARRIER_FIELD, blob)
                .build();
        return new ResourceUtilizationPBImpl(
                proto.toBuilder().setUnknownFields(fields).build());
    }
}
