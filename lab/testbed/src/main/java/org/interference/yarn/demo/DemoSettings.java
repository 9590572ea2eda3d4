package org.interference.yarn.demo;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;

/** Every setting of the embedded cluster; the plugin's own are in {@link #plugin}, as an operator would write them. */
final class DemoSettings {
    static final int NODES = 4;
    static final int NODE_MEMORY_MB = 4096;
    static final int CONTAINER_MEMORY_MB = 512;

    private static final int NODE_VCORES = 8;
    private static final List<String> RM_ADDRESS_KEYS = List.of(
            YarnConfiguration.RM_ADDRESS,
            YarnConfiguration.RM_SCHEDULER_ADDRESS,
            YarnConfiguration.RM_RESOURCE_TRACKER_ADDRESS,
            YarnConfiguration.RM_ADMIN_ADDRESS,
            YarnConfiguration.RM_WEBAPP_ADDRESS);

    /** What a client asks its own settings. */
    private static final List<String> CLIENT_KEYS = List.of(
            "fs.defaultFS",
            "mapreduce.framework.name",
            "mapreduce.application.classpath",
            "mapreduce.jobhistory.address",
            "mapreduce.map.memory.mb",
            "mapreduce.reduce.memory.mb",
            "mapreduce.map.java.opts",
            "mapreduce.reduce.java.opts",
            "yarn.application.classpath",
            "yarn.app.mapreduce.am.staging-dir",
            "yarn.app.mapreduce.am.resource.mb",
            "yarn.app.mapreduce.am.command-opts");

    private DemoSettings() {}

    /** The settings that turn a stock cluster into an interference-aware one. */
    private static void plugin(Configuration conf, DemoHome home) {
        conf.set(YarnConfiguration.RM_SCHEDULER, "org.interference.yarn.InterferenceAwareScheduler");
        conf.set("yarn.interference.place.mode", "on");
        // The first decisions of a cold ResourceManager on a busy machine take their time, and here every one is to be
        // seen.
        conf.setInt("yarn.interference.place.decision-limit-ms", 0);
        conf.setDouble("yarn.interference.place.time-share", 1);
        conf.set("yarn.interference.profile.store-dir", home.profiles().toString());
        conf.set(
                "yarn.nodemanager.container-state-transition-listener.classes",
                "org.interference.yarn.nm.app.InterferenceNodeAgent");
        conf.set("yarn.interference.nm.collect.socket", System.getProperty("demo.socket", "none"));
    }

    /** What all daemons and clients share; every port is 0, the operating system picks a free one. */
    static Configuration common(DemoHome home) {
        Configuration conf = new YarnConfiguration();
        conf.set("hadoop.tmp.dir", home.temporary().toString());
        conf.setBoolean("dfs.permissions.enabled", false);
        conf.setInt("dfs.replication", 1);
        conf.setBoolean(YarnConfiguration.IS_MINI_YARN_CLUSTER, true);
        RM_ADDRESS_KEYS.forEach(key -> conf.set(key, "localhost:0"));
        for (String key : List.of("address", "admin.address", "webapp.address")) {
            conf.set("mapreduce.jobhistory." + key, "localhost:0");
        }
        conf.set("mapreduce.jobhistory.intermediate-done-dir", "/history/intermediate");
        conf.set("mapreduce.jobhistory.done-dir", "/history/done");
        conf.setBoolean("yarn.timeline-service.enabled", false);
        capacityScheduler(conf);
        plugin(conf, home);
        containers(conf, home);
        return conf;
    }

    private static void capacityScheduler(Configuration conf) {
        conf.set("yarn.scheduler.capacity.root.queues", "default");
        conf.set("yarn.scheduler.capacity.root.default.capacity", "100");
        // All applications of a round run at once; each brings an ApplicationMaster.
        conf.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.7");
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 256);
        conf.setInt(YarnConfiguration.RM_SCHEDULER_MAXIMUM_ALLOCATION_MB, NODE_MEMORY_MB);
    }

    private static void containers(Configuration conf, DemoHome home) {
        String jars = System.getProperty("java.class.path");
        String classPath = home.containerConf() + File.pathSeparator + jars;
        conf.set(YarnConfiguration.YARN_APPLICATION_CLASSPATH, classPath.replace(File.pathSeparator, ","));
        conf.set("mapreduce.application.classpath", classPath);
        conf.set("mapreduce.framework.name", "yarn");
        conf.set("yarn.app.mapreduce.am.staging-dir", "/staging");
        for (String task :
                List.of("yarn.app.mapreduce.am.resource.mb", "mapreduce.map.memory.mb", "mapreduce.reduce.memory.mb")) {
            conf.setInt(task, CONTAINER_MEMORY_MB);
        }
        // Tasks live for seconds, so a quick start beats an optimised steady state.
        String java = "-Xmx320m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 --add-opens=java.base/java.lang=ALL-UNNAMED";
        for (String options : List.of(
                "yarn.app.mapreduce.am.command-opts", "mapreduce.map.java.opts", "mapreduce.reduce.java.opts")) {
            conf.set(options, java);
        }
        conf.setInt("mapreduce.task.io.sort.mb", 64);
        conf.setBoolean("mapreduce.map.speculative", false);
        conf.setBoolean("mapreduce.reduce.speculative", false);
        // All nodes carry one host name: a failed task must not blacklist the whole cluster.
        conf.setBoolean("yarn.app.mapreduce.am.job.node-blacklisting.enable", false);
        conf.setInt("mapreduce.client.progressmonitor.pollinterval", 500);
        conf.setInt("mapreduce.client.completion.pollinterval", 500);
    }

    /** One node's settings: {@code running} names the ResourceManager's real ports. */
    static Configuration node(Configuration running, Path directory) {
        Configuration conf = new YarnConfiguration(running);
        conf.set(YarnConfiguration.NM_ADDRESS, "localhost:0");
        conf.set(YarnConfiguration.NM_LOCALIZER_ADDRESS, "localhost:0");
        conf.set(YarnConfiguration.NM_WEBAPP_ADDRESS, "localhost:0");
        conf.set(YarnConfiguration.NM_LOCAL_DIRS, directory.resolve("local").toString());
        conf.set(YarnConfiguration.NM_LOG_DIRS, directory.resolve("logs").toString());
        conf.setInt(YarnConfiguration.NM_PMEM_MB, NODE_MEMORY_MB);
        conf.setInt(YarnConfiguration.NM_VCORES, NODE_VCORES);
        conf.setBoolean(YarnConfiguration.NM_PMEM_CHECK_ENABLED, false);
        conf.setBoolean(YarnConfiguration.NM_VMEM_CHECK_ENABLED, false);
        conf.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99.9");
        conf.set("yarn.nodemanager.aux-services", "mapreduce_shuffle");
        conf.setInt("mapreduce.shuffle.port", 0);
        // A stopping node waits this long (and a little more) for applications that only wait for their logs to expire.
        conf.setInt("yarn.nodemanager.process-kill-wait.ms", 500);
        return conf;
    }

    /** Writes the site files that tell an ApplicationMaster where HDFS and the ResourceManager are, and nothing else. */
    static void writeContainerConf(Configuration running, DemoHome home) throws IOException {
        Configuration core = new Configuration(false);
        core.set("fs.defaultFS", running.get("fs.defaultFS"));
        Configuration yarn = new Configuration(false);
        RM_ADDRESS_KEYS.forEach(key -> yarn.set(key, running.get(key)));
        write(core, home.containerConf().resolve("core-site.xml"));
        write(yarn, home.containerConf().resolve("yarn-site.xml"));
    }

    /** Writes the site files of a client's HADOOP_CONF_DIR. What it submits takes queue and tags from the client's environment, as HiBench's jobs need it. */
    static void writeClientConf(Configuration running, DemoHome home) throws IOException {
        Configuration client = new Configuration(false);
        CLIENT_KEYS.forEach(key -> client.set(key, running.get(key)));
        RM_ADDRESS_KEYS.forEach(key -> client.set(key, running.get(key)));
        client.set("mapreduce.job.queuename", "${env.INTERFERENCE_QUEUE:-default}");
        client.set("mapreduce.job.tags", "${env.INTERFERENCE_TAGS:-}");
        for (String file : List.of("core-site.xml", "yarn-site.xml", "mapred-site.xml")) {
            write(client, home.clientConf().resolve(file));
        }
    }

    private static void write(Configuration conf, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            conf.writeXml(out);
        }
    }
}
