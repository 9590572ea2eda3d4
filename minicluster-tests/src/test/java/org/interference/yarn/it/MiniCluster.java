package org.interference.yarn.it;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.rest.RestHost;
import org.interference.yarn.rest.Sources;

/** A MiniYARNCluster whose daemons talk over real RPC, with the plugins installed as an operator would: by configuration. */
final class MiniCluster implements AutoCloseable {
    private final MiniYARNCluster cluster;

    private MiniCluster(MiniYARNCluster cluster) {
        this.cluster = cluster;
    }

    /** @param settings changes what is set here, before the daemons start */
    static MiniCluster start(String name, int nodes, Consumer<Configuration> settings) throws Exception {
        YarnConfiguration conf = new YarnConfiguration();
        conf.setBoolean(YarnConfiguration.YARN_MINICLUSTER_FIXED_PORTS, true);
        conf.setBoolean(YarnConfiguration.YARN_MINICLUSTER_USE_RPC, true);
        localAddresses(conf);
        conf.setInt(YarnConfiguration.YARN_MINICLUSTER_NM_PMEM_MB, 4096);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 256);
        conf.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99.9");
        conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.8");
        conf.setBoolean("yarn.scheduler.capacity.multi-node-placement-enabled", true);
        conf.set("yarn.scheduler.capacity.multi-node-sorting.policy.names", "default");
        conf.set("yarn.scheduler.capacity.multi-node-sorting.policy", "default");
        conf.set(
                "yarn.scheduler.capacity.multi-node-sorting.policy.default.class",
                "org.apache.hadoop.yarn.server.resourcemanager.scheduler.placement.ResourceUsageMultiNodeLookupPolicy");
        conf.set(YarnConfiguration.RM_SCHEDULER, InterferenceAwareScheduler.class.getName());
        conf.set("yarn.interference.place.mode", "on");
        conf.set(
                "yarn.nodemanager.container-state-transition-listener.classes",
                "org.interference.yarn.nm.app.InterferenceNodeAgent");
        // A stopping NodeManager waits for both, for every application that it has seen.
        conf.setInt("yarn.nodemanager.process-kill-wait.ms", 200);
        conf.setInt(YarnConfiguration.NM_LOG_RETAIN_SECONDS, 0);
        // A machine too slow to send a heartbeat in time is not what these tests are about.
        conf.setInt("yarn.interference.ingest.sample-max-age-heartbeats", 60);
        settings.accept(conf);
        MiniYARNCluster cluster = new MiniYARNCluster(name, nodes, 1, 1);
        cluster.init(conf);
        cluster.start();
        if (!cluster.waitForNodeManagersToConnect(60_000)) {
            cluster.stop();
            throw new IOException("not all of %d NodeManagers registered within a minute".formatted(nodes));
        }
        return new MiniCluster(cluster);
    }

    Configuration conf() {
        return cluster.getConfig();
    }

    ResourceManager resourceManager() {
        return cluster.getResourceManager();
    }

    NodeManager nodeManager(int index) {
        return cluster.getNodeManager(index);
    }

    /** What the plugin of the ResourceManager knows. */
    Sources sources() {
        return ((RestHost) resourceManager().getResourceScheduler())
                .restSources()
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
    static void localAddresses(Configuration conf) throws IOException {
        conf.set(YarnConfiguration.RM_HOSTNAME, "localhost");
        for (String address : List.of(
                YarnConfiguration.RM_ADDRESS,
                YarnConfiguration.RM_SCHEDULER_ADDRESS,
                YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
                YarnConfiguration.RM_ADMIN_ADDRESS,
                YarnConfiguration.RM_WEBAPP_ADDRESS)) {
            conf.set(address, "localhost:" + freePort());
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
