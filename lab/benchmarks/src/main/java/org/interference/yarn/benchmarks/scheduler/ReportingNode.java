package org.interference.yarn.benchmarks.scheduler;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerResponse;
import org.apache.hadoop.yarn.server.api.records.NodeHealthStatus;
import org.apache.hadoop.yarn.server.api.records.NodeStatus;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.interference.yarn.benchmarks.TappedCluster;
import org.interference.yarn.signal.NodeFigures;
import org.interference.yarn.wire.HeartbeatCodec;

/** A node that registers and heartbeats as a NodeManager does, in this process: its containers, and what is measured of them. Not thread-safe. */
final class ReportingNode {
    private final ResourceManager daemon;
    private final NodeId id;
    private final RegisterNodeManagerResponse registration;
    private final List<ContainerId> running = new ArrayList<>();
    /** Those that its next heartbeat says have ended. */
    private final Set<ContainerId> ended = new HashSet<>();

    private int responseId;

    private ReportingNode(ResourceManager daemon, NodeId id, RegisterNodeManagerResponse registration) {
        this.daemon = daemon;
        this.id = id;
        this.registration = registration;
    }

    /** Returns a node without containers, which the ResourceManager knows from now on. */
    static ReportingNode register(ResourceManager daemon, NodeId id, Resource capacity)
            throws IOException, YarnException {
        return new ReportingNode(
                daemon,
                id,
                daemon.getRMContext()
                        .getResourceTrackerService()
                        .registerNodeManager(RegisterNodeManagerRequest.newInstance(
                                id, 8042, capacity, "3.5.0", List.of(), List.of(), Set.of(), capacity)));
    }

    NodeId id() {
        return id;
    }

    /** Returns the containers that run, those among them that the next heartbeat says have ended. */
    List<ContainerId> running() {
        return List.copyOf(running);
    }

    void start(ContainerId container) {
        running.add(container);
    }

    /** Has one of its containers end, if there is one. */
    void end(Random random) {
        if (!running.isEmpty()) {
            ended.add(running.get(random.nextInt(running.size())));
        }
    }

    /** Forgets the containers of an application that has ended. */
    void forget(ApplicationAttemptId attempt) {
        running.removeIf(container -> container.getApplicationAttemptId().equals(attempt));
        ended.removeIf(container -> container.getApplicationAttemptId().equals(attempt));
    }

    /**
     * Sends a heartbeat, with what its containers use.
     *
     * @param kinds of the tasks of each application
     * @param since when each container began
     * @param sequence of the report
     * @param figures what it says of itself
     * @return the containers that have ended by it
     */
    Set<ContainerId> heartbeat(
            Map<ApplicationAttemptId, Integer> kinds,
            Map<ContainerId, Instant> since,
            long sequence,
            Instant now,
            NodeFigures figures)
            throws IOException, YarnException {
        List<Integer> kindsOfRunning = running.stream()
                .map(container -> kinds.get(container.getApplicationAttemptId()))
                .toList();
        List<Instant> sinceOfRunning = running.stream().map(since::get).toList();
        send(TappedCluster.carrying(HeartbeatCodec.encode(
                Workload.report(running, kindsOfRunning, sinceOfRunning, ended, sequence, now, figures))));
        Set<ContainerId> gone = Set.copyOf(ended);
        running.removeAll(gone);
        ended.clear();
        return gone;
    }

    private void send(ResourceUtilization utilization) throws IOException, YarnException {
        List<ContainerStatus> statuses = new ArrayList<>(running.size());
        for (ContainerId container : running) {
            boolean isOver = ended.contains(container);
            ContainerStatus status = ContainerStatus.newInstance(
                    container,
                    ExecutionType.GUARANTEED,
                    isOver ? ContainerState.COMPLETE : ContainerState.RUNNING,
                    "",
                    isOver ? ContainerExitStatus.SUCCESS : ContainerExitStatus.INVALID);
            status.setCapability(Workload.SLOT);
            statuses.add(status);
        }
        NodeStatus status = NodeStatus.newInstance(
                id,
                responseId,
                statuses,
                List.of(),
                NodeHealthStatus.newInstance(true, "", 0),
                ResourceUtilization.newInstance(1024, 2048, 0.5f),
                utilization,
                List.of());
        responseId = daemon.getRMContext()
                .getResourceTrackerService()
                .nodeHeartbeat(NodeHeartbeatRequest.newInstance(
                        status,
                        registration.getContainerTokenMasterKey(),
                        registration.getNMTokenMasterKey(),
                        Set.of()))
                .getResponseId();
    }
}
