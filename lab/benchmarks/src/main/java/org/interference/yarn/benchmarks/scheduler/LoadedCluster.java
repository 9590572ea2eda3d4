package org.interference.yarn.benchmarks.scheduler;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerExitStatus;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.ContainerState;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.api.records.ExecutionType;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Priority;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.api.records.ResourceRequest;
import org.apache.hadoop.yarn.api.records.ResourceUtilization;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.AsyncDispatcher;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.api.protocolrecords.NodeHeartbeatRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerRequest;
import org.apache.hadoop.yarn.server.api.protocolrecords.RegisterNodeManagerResponse;
import org.apache.hadoop.yarn.server.api.records.NodeHealthStatus;
import org.apache.hadoop.yarn.server.api.records.NodeStatus;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.RMApp;
import org.apache.hadoop.yarn.server.resourcemanager.rmapp.attempt.event.RMAppAttemptUnregistrationEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmcontainer.RMContainer;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.ContainerUpdates;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.server.scheduler.SchedulerRequestKey;
import org.interference.yarn.benchmarks.TappedCluster;
import org.interference.yarn.benchmarks.UnmanagedApplications;
import org.interference.yarn.ingest.IngestOutcome;
import org.interference.yarn.place.yarn.YarnTasks;
import org.interference.yarn.profile.TaskSample;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.rest.Sources;
import org.interference.yarn.wire.HeartbeatCodec;

/**
 * A ResourceManager with nodes, on each of which tasks run and are measured, and with applications that wait. Nodes and
 * ApplicationMasters speak to it in this process, through its own services. It ends with the process. Not thread-safe.
 */
final class LoadedCluster {
    static final int SLOTS = 16;
    static final int APPLICATIONS = 100;
    /** Measured containers of each node, on the mean. */
    static final int RUNNING = 6;

    private static final int SLOT_MEGABYTES = 1024;
    private static final Resource SLOT = Resource.newInstance(SLOT_MEGABYTES, 1);
    private static final int NODES_PER_SUBNET = 250;
    private static final Priority PRIORITY = Priority.newInstance(1);
    private static final int PROFILE_SAMPLES = 20;
    private static final Duration RUN_TIME = Duration.ofSeconds(100);
    private static final long NEVER_MILLIS = Duration.ofHours(6).toMillis();

    private final ResourceManager daemon;
    private final Resource capacity;
    private final Drive drive;
    private final int slots;
    private final List<ApplicationAttemptId> attempts = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final Map<ApplicationAttemptId, Integer> kinds = new HashMap<>();
    /** When each container that runs on a node began. */
    private final Map<ContainerId, Instant> settled = new HashMap<>();

    private final long wanted;
    private long reports;

    /** Nobody looks at its pages. */
    private static final class Headless extends ResourceManager {
        @Override
        protected void startWepApp() {
            // None.
        }
    }

    private static final class Node {
        private final NodeId id;
        private final RegisterNodeManagerResponse registration;
        private final List<ContainerId> running = new ArrayList<>();
        /** Those that its next heartbeat says have ended. */
        private final Set<ContainerId> ended = new HashSet<>();

        private int responseId;

        private Node(NodeId id, RegisterNodeManagerResponse registration) {
            this.id = id;
            this.registration = registration;
        }
    }

    /**
     * How large it is.
     *
     * @param slots of each node
     * @param running measured containers of each node, on the mean
     */
    record Size(int nodes, int slots, int running) {}

    /** @param directory where it may write */
    LoadedCluster(Configuration conf, int nodes, Path directory) throws IOException, YarnException {
        this(conf, new Size(nodes, SLOTS, RUNNING), directory, OptionalInt.empty());
    }

    /** @param webPort where its web server listens; empty without one */
    LoadedCluster(Configuration conf, Size size, Path directory, OptionalInt webPort)
            throws IOException, YarnException {
        this.daemon = webPort.isPresent() ? new ResourceManager() : new Headless();
        this.slots = size.nodes() * size.slots();
        this.capacity = Resource.newInstance(SLOT_MEGABYTES * size.slots(), size.slots());
        // Several ResourceManagers in one process: each counts for itself.
        DefaultMetricsSystem.setMiniClusterMode(true);
        QueueMetrics.clearQueueMetrics();
        everythingButTheScheduler(conf, directory);
        if (webPort.isPresent()) {
            conf.set(YarnConfiguration.RM_WEBAPP_ADDRESS, "localhost:" + webPort.getAsInt());
        }
        daemon.init(conf);
        daemon.start();
        this.drive = Drive.of(scheduler());
        for (int i = 0; i < APPLICATIONS; i++) {
            int kind = i % Workload.KINDS;
            ApplicationId application = UnmanagedApplications.submit(daemon, Workload.name(kind), Workload.queue(kind));
            ApplicationAttemptId attempt = UnmanagedApplications.register(daemon, application);
            attempts.add(attempt);
            kinds.put(attempt, kind);
            if (i < Workload.KINDS) {
                profile(application, kind);
            }
        }
        for (int i = 0; i < size.nodes(); i++) {
            register(i);
        }
        UnmanagedApplications.await(
                "all nodes are known", () -> scheduler().getClusterResource().getVirtualCores() == slots);
        // The first node has made it begin.
        drive.awaitIdle(this);
        int containersOfEach = size.nodes() * size.running() / APPLICATIONS;
        ask(containersOfEach);
        drive.run(this, containersOfEach * APPLICATIONS);
        drive.awaitIdle(this);
        settle();
        this.wanted = settled.size();
        report();
    }

    private static void everythingButTheScheduler(Configuration conf, Path directory) {
        for (String address : List.of(
                YarnConfiguration.RM_ADDRESS,
                YarnConfiguration.RM_SCHEDULER_ADDRESS,
                YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
                YarnConfiguration.RM_ADMIN_ADDRESS,
                YarnConfiguration.RM_WEBAPP_ADDRESS)) {
            conf.set(address, "localhost:0");
        }
        conf.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
        conf.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                directory.resolve("attributes").toUri().toString());
        conf.set(
                "yarn.interference.profile.store-dir",
                directory.resolve("profiles").toUri().toString());
        // A node heartbeats between two rounds, and is alive and measured until the next.
        conf.setLong(
                YarnConfiguration.RM_NM_HEARTBEAT_INTERVAL_MS,
                Duration.ofMinutes(10).toMillis());
        conf.setLong(YarnConfiguration.RM_NM_EXPIRY_INTERVAL_MS, NEVER_MILLIS);
        conf.setLong(YarnConfiguration.RM_AM_EXPIRY_INTERVAL_MS, NEVER_MILLIS);
        conf.setLong(YarnConfiguration.RM_CONTAINER_ALLOC_EXPIRY_INTERVAL_MS, NEVER_MILLIS);
    }

    AbstractYarnScheduler<?, ?> scheduler() {
        return (AbstractYarnScheduler<?, ?>) daemon.getResourceScheduler();
    }

    /** Returns what the plugin says of itself; empty without one. */
    Optional<Sources> plugin() {
        return scheduler() instanceof RestHost host ? host.restSources() : Optional.empty();
    }

    int size() {
        return nodes.size();
    }

    /** Returns how many containers were measured when it was new. */
    long wanted() {
        return wanted;
    }

    /** Returns how many containers are measured. */
    long measured() {
        return settled.size();
    }

    /** Returns one of the containers that are measured. */
    ContainerId anyContainer() {
        return nodes.get(nodes.size() / 2).running.get(0);
    }

    /** Returns a node, as YARN writes it. */
    String anyNode() {
        return nodes.get(nodes.size() / 2).id.toString();
    }

    /** Returns the containers allocated so far, those that are gone among them. */
    long allocated() {
        return scheduler().getRootQueueMetrics().getAggregateAllocatedContainers();
    }

    /** Asks for as many containers as fit, in equal shares; whoever schedules does so from now on. */
    void askForAll() {
        ask((slots - settled.size()) / APPLICATIONS);
    }

    /** Has {@code containers} allocated to whoever asks. Returns what happened meanwhile. */
    Drive.Run run(int containers) {
        askForAll();
        return drive.run(this, containers);
    }

    /** Asks for nothing more, and waits until nothing more happens. */
    void finish() {
        ask(0);
        drive.awaitIdle(this);
        awaitDispatcher();
    }

    /** Gives back everything that was allocated since the cluster was loaded, and asks for nothing more. */
    void release() {
        finish();
        for (ApplicationAttemptId attempt : attempts) {
            List<ContainerId> ids = new ArrayList<>();
            for (RMContainer container :
                    scheduler().getApplicationAttempt(attempt).getLiveContainers()) {
                if (!settled.containsKey(container.getContainerId())) {
                    ids.add(container.getContainerId());
                }
            }
            say(attempt, List.of(), ids);
            hearWhatHasEnded(attempt);
        }
        awaitDispatcher();
    }

    /** As an ApplicationMaster does; the ResourceManager keeps what has ended until then. */
    private void hearWhatHasEnded(ApplicationAttemptId attempt) {
        daemon.getRMContext()
                .getRMApps()
                .get(attempt.getApplicationId())
                .getCurrentAppAttempt()
                .pullJustFinishedContainers();
    }

    /** Has so many containers end, here and there; the next {@link #report} says so, and as many others take their place by {@link #refill}. */
    void end(int containers, Random random) {
        for (int i = 0; i < containers; i++) {
            Node node = nodes.get(random.nextInt(nodes.size()));
            if (!node.running.isEmpty()) {
                node.ended.add(node.running.get(random.nextInt(node.running.size())));
            }
        }
    }

    /** Has at least {@code containers} allocated, in equal shares, which run from now on. Returns what happened meanwhile. */
    Drive.Run refill(int containers) {
        int ofEach = (containers + APPLICATIONS - 1) / APPLICATIONS;
        ask(ofEach);
        Drive.Run run = drive.run(this, ofEach * APPLICATIONS);
        drive.awaitIdle(this);
        settle();
        return run;
    }

    /** Has one node leave, whose containers are lost, and come back as new. */
    void restart(int index) throws IOException, YarnException {
        Node node = nodes.get(index);
        settled.keySet().removeAll(node.running);
        daemon.getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMNodeEvent(node.id, RMNodeEventType.EXPIRE));
        awaitDispatcher();
        UnmanagedApplications.await(
                "the node is gone", () -> !daemon.getRMContext().getRMNodes().containsKey(node.id));
        nodes.set(index, registered(node.id));
        awaitDispatcher();
    }

    /** Has one application end and another of its kind, with a name of its own, begin. */
    void replace(int index, String name) throws IOException, YarnException {
        ApplicationAttemptId old = attempts.get(index);
        int kind = kinds.remove(old);
        for (Node node : nodes) {
            node.running.removeIf(
                    container -> container.getApplicationAttemptId().equals(old));
            node.ended.removeIf(container -> container.getApplicationAttemptId().equals(old));
        }
        settled.keySet()
                .removeIf(container -> container.getApplicationAttemptId().equals(old));
        daemon.getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMAppAttemptUnregistrationEvent(old, "", FinalApplicationStatus.SUCCEEDED, ""));
        RMApp app = daemon.getRMContext().getRMApps().get(old.getApplicationId());
        UnmanagedApplications.await("the application has ended", app::isAppInCompletedStates);
        ApplicationId next = UnmanagedApplications.submit(daemon, name, Workload.queue(kind));
        ApplicationAttemptId attempt = UnmanagedApplications.register(daemon, next);
        attempts.set(index, attempt);
        kinds.put(attempt, kind);
    }

    /** Sends every node's heartbeat, with what its containers use, and waits until the plugin has them. */
    void report() throws IOException, YarnException {
        reports++;
        Instant now = Instant.now();
        long accepted = accepted() + nodes.size();
        for (Node node : nodes) {
            List<Integer> kindsOfRunning = node.running.stream()
                    .map(container -> kinds.get(container.getApplicationAttemptId()))
                    .toList();
            List<Instant> since = node.running.stream().map(settled::get).toList();
            heartbeat(
                    node,
                    TappedCluster.carrying(HeartbeatCodec.encode(
                            Workload.report(node.running, kindsOfRunning, since, node.ended, reports, now))));
            node.running.removeAll(node.ended);
            settled.keySet().removeAll(node.ended);
            node.ended.clear();
        }
        awaitDispatcher();
        if (plugin().isPresent()) {
            UnmanagedApplications.await("all reports are read", () -> accepted() == accepted);
        }
    }

    private long accepted() {
        return plugin().map(plugin -> plugin.ingest().outcomes().get(IngestOutcome.ACCEPTED))
                .orElse(0L);
    }

    private void register(int index) throws IOException, YarnException {
        // Addresses of this machine, because YARN resolves them.
        NodeId id = NodeId.newInstance(
                "127.0.%d.%d".formatted(1 + index / NODES_PER_SUBNET, 1 + index % NODES_PER_SUBNET), 8041);
        nodes.add(registered(id));
    }

    private Node registered(NodeId id) throws IOException, YarnException {
        return new Node(
                id,
                daemon.getRMContext()
                        .getResourceTrackerService()
                        .registerNodeManager(RegisterNodeManagerRequest.newInstance(
                                id, 8042, capacity, "3.5.0", List.of(), List.of(), Set.of(), capacity)));
    }

    /** Lets the plugin know tasks of this kind as if many had run. */
    private void profile(ApplicationId application, int kind) {
        RMApp app = daemon.getRMContext().getRMApps().get(application);
        Random noise = new Random(kind);
        plugin().ifPresent(plugin -> {
            for (int i = 0; i < PROFILE_SAMPLES; i++) {
                plugin.profiles()
                        .record(new TaskSample(
                                YarnTasks.identity(
                                        app,
                                        SchedulerRequestKey.create(
                                                ResourceRequest.newInstance(PRIORITY, ResourceRequest.ANY, SLOT, 1)),
                                        false),
                                Workload.levels(kind, noise),
                                RUN_TIME,
                                Instant.now()));
            }
        });
    }

    /** Hands what was allocated to the ApplicationMasters; it stays for good. */
    private void settle() {
        Instant now = Instant.now();
        Map<NodeId, Node> byId = new HashMap<>();
        nodes.forEach(node -> byId.put(node.id, node));
        for (ApplicationAttemptId attempt : attempts) {
            say(attempt, List.of(), List.of());
            hearWhatHasEnded(attempt);
            for (RMContainer container :
                    scheduler().getApplicationAttempt(attempt).getLiveContainers()) {
                if (settled.putIfAbsent(container.getContainerId(), now) == null) {
                    byId.get(container.getAllocatedNode()).running.add(container.getContainerId());
                }
            }
        }
    }

    private void ask(int containersOfEach) {
        for (ApplicationAttemptId attempt : attempts) {
            say(
                    attempt,
                    List.of(ResourceRequest.newInstance(PRIORITY, ResourceRequest.ANY, SLOT, containersOfEach)),
                    List.of());
        }
    }

    private void say(ApplicationAttemptId attempt, List<ResourceRequest> asks, List<ContainerId> released) {
        scheduler().allocate(attempt, asks, List.of(), released, List.of(), List.of(), new ContainerUpdates());
    }

    private void heartbeat(Node node, ResourceUtilization utilization) throws IOException, YarnException {
        List<ContainerStatus> statuses = new ArrayList<>(node.running.size());
        for (ContainerId container : node.running) {
            boolean ended = node.ended.contains(container);
            ContainerStatus status = ContainerStatus.newInstance(
                    container,
                    ExecutionType.GUARANTEED,
                    ended ? ContainerState.COMPLETE : ContainerState.RUNNING,
                    "",
                    ended ? ContainerExitStatus.SUCCESS : ContainerExitStatus.INVALID);
            status.setCapability(SLOT);
            statuses.add(status);
        }
        NodeStatus status = NodeStatus.newInstance(
                node.id,
                node.responseId,
                statuses,
                List.of(),
                NodeHealthStatus.newInstance(true, "", 0),
                ResourceUtilization.newInstance(1024, 2048, 0.5f),
                utilization,
                List.of());
        node.responseId = daemon.getRMContext()
                .getResourceTrackerService()
                .nodeHeartbeat(NodeHeartbeatRequest.newInstance(
                        status,
                        node.registration.getContainerTokenMasterKey(),
                        node.registration.getNMTokenMasterKey(),
                        Set.of()))
                .getResponseId();
    }

    List<RMNode> rmNodes() {
        return nodes.stream()
                .map(node -> daemon.getRMContext().getRMNodes().get(node.id))
                .toList();
    }

    private void awaitDispatcher() {
        AsyncDispatcher dispatcher = (AsyncDispatcher) daemon.getRMContext().getDispatcher();
        UnmanagedApplications.await("all events are handled", () -> dispatcher.getEventQueueSize() == 0);
    }
}
