package org.interference.yarn.benchmarks.scheduler;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.api.records.ContainerId;
import org.apache.hadoop.yarn.api.records.NodeId;
import org.apache.hadoop.yarn.api.records.Resource;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.event.AsyncDispatcher;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.RMContext;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNode;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEvent;
import org.apache.hadoop.yarn.server.resourcemanager.rmnode.RMNodeEventType;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.AbstractYarnScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.QueueMetrics;
import org.apache.hadoop.yarn.util.resource.Resources;
import org.interference.yarn.benchmarks.Reports;
import org.interference.yarn.benchmarks.UnmanagedApplications;
import org.interference.yarn.ingest.IngestOutcome;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.rest.Sources;
import org.interference.yarn.signal.NodeFigures;

/**
 * A ResourceManager with nodes, on each of which tasks run and are measured, and with applications that wait. Nodes and
 * ApplicationMasters speak to it in this process, through its own services. It ends with the process. Not thread-safe.
 */
final class LoadedCluster {
    static final int SLOTS = 16;
    static final int APPLICATIONS = 100;
    /** Measured containers of each node, on the mean. */
    static final int RUNNING = 6;

    private static final int NODES_PER_SUBNET = 250;
    private static final long NEVER_MILLIS = Duration.ofHours(6).toMillis();

    private final ResourceManager daemon;
    private final Resource capacity;
    private final Drive drive;
    private final int slots;
    private final WaitingApplications applications;
    private final List<ReportingNode> nodes = new ArrayList<>();
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
        this.capacity = Resources.multiply(Workload.SLOT, size.slots());
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
        this.applications = new WaitingApplications(daemon);
        for (int i = 0; i < APPLICATIONS; i++) {
            int kind = i % Workload.KINDS;
            ApplicationId application = applications.add(kind);
            if (i < Workload.KINDS) {
                plugin().ifPresent(plugin -> applications.profile(application, kind, plugin));
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
        applications.ask(containersOfEach);
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

    RMContext context() {
        return daemon.getRMContext();
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
        return nodes.get(nodes.size() / 2).running().get(0);
    }

    /** Returns a node, as YARN writes it. */
    String anyNode() {
        return nodes.get(nodes.size() / 2).id().toString();
    }

    /** Returns the containers allocated so far, those that are gone among them. */
    long allocated() {
        return scheduler().getRootQueueMetrics().getAggregateAllocatedContainers();
    }

    /** Asks for as many containers as fit, in equal shares; whoever schedules does so from now on. */
    void askForAll() {
        applications.ask((slots - settled.size()) / APPLICATIONS);
    }

    /** Has {@code containers} allocated to whoever asks. Returns what happened meanwhile. */
    Drive.Run run(int containers) {
        askForAll();
        return drive.run(this, containers);
    }

    /** Asks for so many containers in each application, which nobody schedules. */
    void leaveWaiting(int containersOfEach) {
        applications.ask(containersOfEach);
        drive.awaitIdle(this);
    }

    /** Asks for nothing more, and waits until nothing more happens. */
    void finish() {
        applications.ask(0);
        drive.awaitIdle(this);
        awaitDispatcher();
    }

    /** Gives back everything that was allocated since the cluster was loaded, and asks for nothing more. */
    void release() {
        finish();
        applications.releaseAllBut(settled.keySet());
        awaitDispatcher();
    }

    /** Has so many containers end, here and there; the next {@link #report} says so, and as many others take their place by {@link #refill}. */
    void end(int containers, Random random) {
        for (int i = 0; i < containers; i++) {
            nodes.get(random.nextInt(nodes.size())).end(random);
        }
    }

    /** Has at least {@code containers} allocated, in equal shares, which run from now on. Returns what happened meanwhile. */
    Drive.Run refill(int containers) {
        int ofEach = (containers + APPLICATIONS - 1) / APPLICATIONS;
        applications.ask(ofEach);
        Drive.Run run = drive.run(this, ofEach * APPLICATIONS);
        drive.awaitIdle(this);
        settle();
        return run;
    }

    /** Has one node leave, whose containers are lost, and come back as new. */
    void restart(int index) throws IOException, YarnException {
        ReportingNode node = nodes.get(index);
        settled.keySet().removeAll(node.running());
        daemon.getRMContext()
                .getDispatcher()
                .getEventHandler()
                .handle(new RMNodeEvent(node.id(), RMNodeEventType.EXPIRE));
        awaitDispatcher();
        UnmanagedApplications.await(
                "the node is gone", () -> !daemon.getRMContext().getRMNodes().containsKey(node.id()));
        nodes.set(index, ReportingNode.register(daemon, node.id(), capacity));
        awaitDispatcher();
    }

    /** Has one application end and another of its kind, with a name of its own, begin. */
    void replace(int index, String name) throws IOException, YarnException {
        ApplicationAttemptId old = applications.attempt(index);
        nodes.forEach(node -> node.forget(old));
        settled.keySet()
                .removeIf(container -> container.getApplicationAttemptId().equals(old));
        applications.replace(index, name);
    }

    /** Sends every node's heartbeat, with what its containers use, and waits until the plugin has them. */
    void report() throws IOException, YarnException {
        report(Reports.figures(new Random(reports + 1)));
    }

    /** As {@link #report()}, every node saying this of itself. */
    void report(NodeFigures figures) throws IOException, YarnException {
        reports++;
        Instant now = Instant.now();
        long accepted = accepted() + nodes.size();
        for (ReportingNode node : nodes) {
            settled.keySet().removeAll(node.heartbeat(applications.kinds(), settled, reports, now, figures));
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
        nodes.add(ReportingNode.register(daemon, id, capacity));
    }

    /** Hands what was allocated to the ApplicationMasters; it stays for good. */
    private void settle() {
        Instant now = Instant.now();
        Map<NodeId, ReportingNode> byId = new HashMap<>();
        nodes.forEach(node -> byId.put(node.id(), node));
        applications.pull(container -> {
            if (settled.putIfAbsent(container.getContainerId(), now) == null) {
                byId.get(container.getAllocatedNode()).start(container.getContainerId());
            }
        });
    }

    List<RMNode> rmNodes() {
        return nodes.stream()
                .map(node -> daemon.getRMContext().getRMNodes().get(node.id()))
                .toList();
    }

    /** Ends before the process does. */
    void stop() {
        daemon.stop();
    }

    private void awaitDispatcher() {
        AsyncDispatcher dispatcher = (AsyncDispatcher) daemon.getRMContext().getDispatcher();
        UnmanagedApplications.await("all events are handled", () -> dispatcher.getEventQueueSize() == 0);
    }
}
