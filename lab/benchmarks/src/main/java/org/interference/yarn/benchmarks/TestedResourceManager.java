package org.interference.yarn.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.api.ResourceTracker;
import org.apache.hadoop.yarn.server.api.ServerRMProxy;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatResponse;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerResponse;
import org.apache.hadoop.yarn.server.api.records.NodeHealthStatus;
import org.apache.hadoop.yarn.server.api.records.NodeStatus;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/**
 * A ResourceManager with one application and one registered node, which heartbeats over RPC with the statuses of its
 * containers, as a NodeManager does. Not thread-safe.
 */
final class TestedResourceManager implements AutoCloseable {
    private static final NodeId NODE = NodeId.newInstance("localhost", 8041);
    private static final Resource CONTAINER = Resource.newInstance(1024, 1);
    private static final Resource CAPACITY = Resource.newInstance(1 << 16, 64);

    private final ResourceManager daemon = new ResourceManager();
    private final ResourceTracker tracker;
    private final List<ContainerId> containers = new ArrayList<>();
    private final RegisterNodeManagerResponse registration;
    private int responseId;

    TestedResourceManager(String scheduler) throws IOException, YarnException {
        this(scheduler, Map.of());
    }

    /** @param settings that it has beside those that it needs to start */
    TestedResourceManager(String scheduler, Map<String, String> settings) throws IOException, YarnException {
        Configuration conf = new YarnConfiguration();
        for (String address : List.of(
                YarnConfiguration.RM_ADDRESS,
                YarnConfiguration.RM_SCHEDULER_ADDRESS,
                YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
                YarnConfiguration.RM_ADMIN_ADDRESS,
                YarnConfiguration.RM_WEBAPP_ADDRESS)) {
            conf.set(address, "localhost:" + FreePort.find());
        }
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                Path.of(System.getProperty("java.io.tmpdir"), "node-attributes")
                        .toUri()
                        .toString());
        conf.set(YarnConfiguration.RM_SCHEDULER, scheduler);
        conf.set("yarn.scheduler.capacity.root.queues", "default");
        conf.set("yarn.scheduler.capacity.root.default.capacity", "100");
        conf.set("yarn.interference.place.mode", "on");
        settings.forEach(conf::set);
        daemon.init(conf);
        daemon.start();
        tracker = ServerRMProxy.createRMProxy(conf, ResourceTracker.class);
        // Without it, the statuses of its containers would be answered by a request to clean them up; and a node that
        // reports
        // an application before the ResourceManager has stored it is out of order.
        ApplicationId application = UnmanagedApplications.submit(daemon, "heartbeat", "default");
        for (int i = 1; i <= Reports.CONTAINERS; i++) {
            containers.add(ContainerId.newContainerId(ApplicationAttemptId.newInstance(application, 1), i));
        }
        registration = tracker.registerNodeManager(RegisterNodeManagerRequest.newInstance(
                NODE, 8042, CAPACITY, "3.5.0", List.of(), List.of(application), Set.of(), CAPACITY));
    }

    ResourceManager daemon() {
        return daemon;
    }

    /** Sends one heartbeat and waits for the answer. */
    void heartbeat(ResourceUtilization nodeUtilization) throws IOException, YarnException {
        List<ContainerStatus> statuses = new ArrayList<>();
        for (ContainerId container : containers) {
            ContainerStatus status = ContainerStatus.newInstance(
                    container, ExecutionType.GUARANTEED, ContainerState.RUNNING, "", ContainerExitStatus.INVALID);
            status.setCapability(CONTAINER);
            statuses.add(status);
        }
        NodeStatus node = NodeStatus.newInstance(
                NODE,
                responseId,
                statuses,
                List.of(),
                NodeHealthStatus.newInstance(true, "", 0),
                ResourceUtilization.newInstance(1024, 2048, 0.5f),
                nodeUtilization,
                List.of());
        NodeHeartbeatResponse response = tracker.nodeHeartbeat(NodeHeartbeatRequest.newInstance(
                node, registration.getContainerTokenMasterKey(), registration.getNMTokenMasterKey(), Set.of()));
        responseId = response.getResponseId();
    }

    @Override
    public void close() {
        RPC.stopProxy(tracker);
        daemon.stop();
    }
}
