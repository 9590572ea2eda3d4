package org.interference.yarn.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.service.Service;
import org.apache.hadoop.yarn.api.protocolrecords.GetClusterMetricsRequest;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.apache.hadoop.yarn.util.resource.ResourceUtils;

/**
 * HDFS, a job history server, a ResourceManager and stock NodeManagers in this process, talking over real RPC.
 * The ResourceManager starts on ports the operating system picks before any NodeManager reads its settings, so several
 * demos can share a machine.
 */
final class DemoCluster implements AutoCloseable {
    private static final Duration REGISTRATION_LIMIT = Duration.ofSeconds(60);
    /** A NodeManager kills its containers in the first two seconds; then it waits for its log files to expire. */
    private static final Duration NODES_STOP_LIMIT = Duration.ofSeconds(3);

    private static final Duration RESOURCE_MANAGER_STOP_LIMIT = Duration.ofSeconds(10);

    private final Configuration conf;
    private final List<Service> nodes = new ArrayList<>();
    private ResourceManager resourceManager;
    private boolean closed;

    private DemoCluster(Configuration conf) {
        this.conf = conf;
    }

    /** Starts everything and waits until all nodes have registered. */
    static DemoCluster start(DemoHome home, Progress progress) throws IOException, YarnException {
        DefaultMetricsSystem.setMiniClusterMode(true);
        DemoCluster cluster = new DemoCluster(DemoSettings.common(home));
        // Hadoop reads the smallest container size into a static field, from whatever settings come first.
        ResourceUtils.resetResourceTypes(cluster.conf);
        try {
            cluster.startHdfs(home);
            progress.event("HDFS is up: " + cluster.conf.get("fs.defaultFS"));
            cluster.startYarn(home);
            progress.event("YARN is up: %d NodeManagers of %d MB, ResourceManager http://%s"
                    .formatted(DemoSettings.NODES, DemoSettings.NODE_MEMORY_MB, cluster.webAddress()));
            return cluster;
        } catch (IOException | YarnException | RuntimeException | LinkageError e) {
            cluster.close();
            throw e;
        }
    }

    private void startHdfs(DemoHome home) throws IOException {
        MiniDFSCluster hdfs = new MiniDFSCluster.Builder(
                        new HdfsConfiguration(conf), home.hdfs().toFile())
                .numDataNodes(1)
                .build();
        hdfs.waitActive();
        conf.set("fs.defaultFS", hdfs.getURI().toString());
    }

    /** The last Guice web application to start owns the HTML pages of the process, hence the order. */
    private void startYarn(DemoHome home) throws IOException, YarnException {
        JobHistoryServer history = new JobHistoryServer();
        start(history, conf);
        conf.set("mapreduce.jobhistory.address", history.getConfig().get("mapreduce.jobhistory.address"));
        resourceManager = new ResourceManager();
        start(resourceManager, conf);
        DemoSettings.writeContainerConf(conf, home);
        DemoSettings.writeClientConf(conf, home);
        for (int i = 1; i <= DemoSettings.NODES; i++) {
            Service node = new PagelessNodeManager();
            nodes.add(node);
            start(node, DemoSettings.node(conf, home.nodes().resolve("nm" + i)));
        }
        awaitNodes();
    }

    private static void start(Service service, Configuration conf) {
        service.init(conf);
        service.start();
    }

    private void awaitNodes() throws IOException, YarnException {
        long deadline = System.nanoTime() + REGISTRATION_LIMIT.toNanos();
        int registered = registeredNodes();
        while (registered < DemoSettings.NODES) {
            if (System.nanoTime() > deadline) {
                throw new IOException("%d of %d NodeManagers registered within %d s"
                        .formatted(registered, DemoSettings.NODES, REGISTRATION_LIMIT.toSeconds()));
            }
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
            registered = registeredNodes();
        }
    }

    private int registeredNodes() throws YarnException, IOException {
        return resourceManager
                .getClientRMService()
                .getClusterMetrics(GetClusterMetricsRequest.newInstance())
                .getClusterMetrics()
                .getNumNodeManagers();
    }

    /** Settings for a client: a copy that names the real ports. */
    Configuration clientConf() {
        return new YarnConfiguration(conf);
    }

    /** The ResourceManager's web server, {@code host:port}. */
    String webAddress() {
        return conf.get(YarnConfiguration.RM_WEBAPP_ADDRESS);
    }

    /**
     * Kills what still runs in containers and stops the ResourceManager, which writes the profiles out. HDFS and the
     * history server hold nothing worth an orderly stop; they end with the process.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        List<ProcessHandle> containers = ProcessHandle.current().descendants().toList();
        List<Thread> stopping =
                nodes.stream().map(DemoCluster::stopInBackground).toList();
        long deadline = System.nanoTime() + NODES_STOP_LIMIT.toNanos();
        stopping.forEach(thread -> join(thread, deadline));
        // An ApplicationMaster asked to end first looks for its ResourceManager, for a quarter of an hour.
        containers.forEach(ProcessHandle::destroyForcibly);
        if (resourceManager != null) {
            join(stopInBackground(resourceManager), System.nanoTime() + RESOURCE_MANAGER_STOP_LIMIT.toNanos());
        }
    }

    private static Thread stopInBackground(Service service) {
        Thread thread = new Thread(service::stop, "stop " + service.getName());
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void join(Thread thread, long deadlineNanos) {
        try {
            thread.join(Math.max(
                    1, Duration.ofNanos(deadlineNanos - System.nanoTime()).toMillis()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
