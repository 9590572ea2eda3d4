package org.interference.yarn.it;

import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.util.VersionInfo;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.HAUtil;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.AdminService;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.hadoop.HadoopLine;
import org.interference.yarn.place.Decision;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.rest.Sources;

/** A MiniYARNCluster whose daemons talk over real RPC, with the plugins installed as an operator would: by configuration. */
final class MiniCluster implements AutoCloseable {
    static final List<String> RESOURCE_MANAGER_ADDRESSES = List.of(
            YarnConfiguration.RM_ADDRESS,
            YarnConfiguration.RM_SCHEDULER_ADDRESS,
            YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
            YarnConfiguration.RM_ADMIN_ADDRESS,
            YarnConfiguration.RM_WEBAPP_ADDRESS);
    private static final int FIRST_PORT = 20_000;
    private static final int PORTS = 12_000;
    /** Another process of tests begins elsewhere. */
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(Math.floorMod(31 * ProcessHandle.current().pid(), PORTS));

    private static final StateChangeRequestInfo BY_USER = new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER);

    private final MiniYARNCluster cluster;

    private MiniCluster(MiniYARNCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * Ends the test where nobody can ask a mini cluster's ResourceManager by HTTP: before Hadoop 3.5 all web servers of one JVM answer for the daemon that began
     * last (Guice's {@code GuiceFilter}), a NodeManager. There {@link InstalledJarsTest} asks one that is a process of its own.
     */
    static void requireHttp() {
        assumeFalse(
                HadoopLine.require(VersionInfo.getVersion()).isBefore(HadoopLine.V3_5),
                "the web servers of one JVM answer for its last daemon");
    }

    /** @param settings changes what is set here, before the daemons start */
    static MiniCluster start(String name, int nodes, Consumer<Configuration> settings) throws Exception {
        return start(new MiniYARNCluster(name, nodes, 1, 1), settings);
    }

    /**
     * Starts two ResourceManagers that stand in for each other; the first is active.
     *
     * @param stateStore directory that they share
     */
    static MiniCluster startPair(String name, int nodes, Path stateStore, Consumer<Configuration> settings)
            throws Exception {
        List<String> ids = List.of("rm0", "rm1");
        MiniYARNCluster pair = new MiniYARNCluster(name, ids.size(), nodes, 1, 1);
        return start(pair, conf -> {
            conf.setBoolean(YarnConfiguration.AUTO_FAILOVER_ENABLED, false);
            conf.set(YarnConfiguration.RM_CLUSTER_ID, name);
            conf.set(YarnConfiguration.RM_HA_IDS, String.join(",", ids));
            for (String id : ids) {
                for (String address : RESOURCE_MANAGER_ADDRESSES) {
                    conf.set(HAUtil.addSuffix(address, id), freeAddress());
                }
            }
            conf.set(YarnConfiguration.RM_CONFIGURATION_PROVIDER_CLASS, InMemoryConfiguration.class.getName());
            recovery(conf, stateStore);
            settings.accept(conf);
        });
    }

    /** A machine too slow to decide in time is not what these tests are about. */
    static void unhurried(Configuration conf) {
        conf.setInt("yarn.interference.place.decision-limit-ms", 0);
        conf.setDouble("yarn.interference.place.time-share", 1);
    }

    private static MiniCluster start(MiniYARNCluster cluster, Consumer<Configuration> settings) throws Exception {
        YarnConfiguration conf = new YarnConfiguration();
        conf.setBoolean(YarnConfiguration.YARN_MINICLUSTER_FIXED_PORTS, true);
        conf.setBoolean(YarnConfiguration.YARN_MINICLUSTER_USE_RPC, true);
        localAddresses(conf);
        conf.setInt(YarnConfiguration.YARN_MINICLUSTER_NM_PMEM_MB, 4096);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 256);
        conf.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99.9");
        conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.8");
        conf.set(YarnConfiguration.RM_SCHEDULER, InterferenceAwareScheduler.class.getName());
        // The default from Hadoop 3.5 on.
        conf.setBoolean("yarn.scheduler.capacity.schedule-asynchronously.enable", true);
        conf.set("yarn.interference.place.mode", "on");
        unhurried(conf);
        conf.set(
                "yarn.nodemanager.container-state-transition-listener.classes",
                "org.interference.yarn.nm.app.InterferenceNodeAgent");
        // A stopping NodeManager waits for both, for every application that it has seen.
        conf.setInt("yarn.nodemanager.process-kill-wait.ms", 200);
        conf.setInt(YarnConfiguration.NM_LOG_RETAIN_SECONDS, 0);
        // A machine too slow to send a heartbeat in time is not what these tests are about.
        conf.setInt("yarn.interference.ingest.sample-max-age-heartbeats", 60);
        settings.accept(conf);
        cluster.init(conf);
        MiniCluster started = new MiniCluster(cluster);
        if (HAUtil.isHAEnabled(cluster.getConfig())) {
            started.activateTheFirst();
        }
        cluster.start();
        if (!cluster.waitForNodeManagersToConnect(60_000)) {
            cluster.stop();
            throw new IOException("not all NodeManagers of %s registered within a minute".formatted(cluster.getName()));
        }
        return started;
    }

    /** A NodeManager that starts waits until it is registered, so a ResourceManager must be active before. */
    private void activateTheFirst() {
        Service lastToStartBeforeTheNodes = cluster.getServices().get(1);
        lastToStartBeforeTheNodes.registerServiceListener(service -> {
            if (service.isInState(Service.STATE.STARTED)) {
                try {
                    admin(0).transitionToActive(BY_USER);
                } catch (IOException e) {
                    throw new IllegalStateException("the first ResourceManager does not become active", e);
                }
            }
        });
    }

    /** Makes ResourceManagers remember their applications, and everybody look for the active one often. */
    static void recovery(Configuration conf, Path stateStore) {
        conf.setBoolean(YarnConfiguration.RECOVERY_ENABLED, true);
        conf.set(YarnConfiguration.RM_STORE, FileSystemRMStateStore.class.getName());
        conf.set(YarnConfiguration.FS_RM_STATE_STORE_URI, stateStore.toUri().toString());
        conf.setLong(YarnConfiguration.RM_WORK_PRESERVING_RECOVERY_SCHEDULING_WAIT_MS, 500);
        conf.setLong(YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, 300);
        conf.setLong(YarnConfiguration.NM_RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, 300);
        conf.setLong(YarnConfiguration.CLIENT_FAILOVER_SLEEPTIME_BASE_MS, 100);
        conf.setLong(YarnConfiguration.CLIENT_FAILOVER_SLEEPTIME_MAX_MS, 500);
    }

    /** Makes one ResourceManager of a pair stand by, and the other one active. */
    void failOver(int from, int to) throws IOException {
        admin(from).transitionToStandby(BY_USER);
        admin(to).transitionToActive(BY_USER);
    }

    private AdminService admin(int index) {
        return cluster.getResourceManager(index).getRMContext().getRMAdminService();
    }

    Configuration conf() {
        return cluster.getConfig();
    }

    /** The one, or the active one. */
    ResourceManager resourceManager() {
        return cluster.getResourceManager();
    }

    ResourceManager resourceManager(int index) {
        return cluster.getResourceManager(index);
    }

    NodeManager nodeManager(int index) {
        return cluster.getNodeManager(index);
    }

    /** A node as YARN writes its id. */
    String node(int index) {
        return nodeManager(index).getNMContext().getNodeId().toString();
    }

    /** What the plugin of the active ResourceManager knows. */
    Sources sources() {
        return ((RestHost) resourceManager().getResourceScheduler())
                .restSources()
                .orElseThrow();
    }

    /** Returns the decision about a container once it is recorded: its application may hear of the container a moment before. */
    Decision decision(Container container) {
        String id = container.getId().toString();
        return await("the decision about " + id)
                .atMost(PATIENCE)
                .until(() -> sources().placement().decisions().of(id), Optional::isPresent)
                .orElseThrow();
    }

    String webAddress() {
        return conf().get(YarnConfiguration.RM_WEBAPP_ADDRESS);
    }

    @Override
    public void close() {
        cluster.stop();
    }

    /** Gives the ResourceManager addresses on this host that nobody uses. */
    static void localAddresses(Configuration conf) {
        conf.set(YarnConfiguration.RM_HOSTNAME, "localhost");
        RESOURCE_MANAGER_ADDRESSES.forEach(address -> conf.set(address, freeAddress()));
    }

    /**
     * An address on this host that nobody uses. Its port is below those that the kernel gives to whoever asks for any: a standby
     * opens its ports when it becomes active, and by then another service of the test may have been given one of them.
     */
    static String freeAddress() {
        return "localhost:"
                + IntStream.generate(() -> FIRST_PORT + Math.floorMod(NEXT_PORT.getAndIncrement(), PORTS))
                        .limit(PORTS)
                        .filter(MiniCluster::isFree)
                        .findFirst()
                        .orElseThrow();
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port)) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
