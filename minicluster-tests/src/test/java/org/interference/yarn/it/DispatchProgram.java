package org.interference.yarn.it;

import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer;

/** The program bin/dispatch as a process of its own, for a {@link MiniCluster} that runs MapReduce. */
final class DispatchProgram implements AutoCloseable {
    private static final String OPEN = "--add-opens=java.base/java.lang=ALL-UNNAMED";

    private static final Path SPARK_JOBS = Path.of("..", "lab", "spark-jobs");

    private final Path directory;
    private final JobHistoryServer history;

    /** How it ended. */
    record End(int status, String output) {}

    private DispatchProgram(Path directory, JobHistoryServer history) {
        this.directory = directory;
        this.history = history;
    }

    /** What a cluster must be told to run MapReduce. */
    static void settings(Configuration conf, Path directory) {
        String classPath = System.getProperty("java.class.path");
        conf.set("fs.defaultFS", "file:///");
        conf.set("yarn.nodemanager.aux-services", "mapreduce_shuffle");
        conf.set("mapreduce.shuffle.port", "0");
        conf.set("mapreduce.framework.name", "yarn");
        conf.set("yarn.application.classpath", classPath.replace(':', ','));
        conf.set("mapreduce.application.classpath", classPath);
        conf.set(
                "yarn.app.mapreduce.am.staging-dir",
                directory.resolve("staging").toString());
        conf.setBoolean("yarn.app.mapreduce.am.job.node-blacklisting.enable", false);
        for (String memory :
                List.of("yarn.app.mapreduce.am.resource.mb", "mapreduce.map.memory.mb", "mapreduce.reduce.memory.mb")) {
            conf.setInt(memory, 512);
        }
        for (String options : List.of(
                "yarn.app.mapreduce.am.command-opts", "mapreduce.map.java.opts", "mapreduce.reduce.java.opts")) {
            conf.set(options, "-Xmx320m -XX:+UseSerialGC " + OPEN);
        }
    }

    /** Starts a history server, which clients ask how their job ended, and writes a folder of settings for clients. */
    static DispatchProgram of(MiniCluster cluster, Path directory) throws IOException {
        Configuration own = new Configuration(cluster.conf());
        for (String key : List.of("address", "admin.address", "webapp.address")) {
            own.set("mapreduce.jobhistory." + key, MiniCluster.freeAddress());
        }
        JobHistoryServer history = new JobHistoryServer();
        history.init(own);
        history.start();
        Configuration client = new Configuration(false);
        for (String key : List.of(
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
                "yarn.app.mapreduce.am.command-opts")) {
            client.set(key, own.get(key));
        }
        MiniCluster.RESOURCE_MANAGER_ADDRESSES.forEach(key -> client.set(key, own.get(key)));
        Path folder = Files.createDirectories(directory.resolve("conf"));
        for (String file : List.of("core-site.xml", "yarn-site.xml", "mapred-site.xml")) {
            try (OutputStream out = Files.newOutputStream(folder.resolve(file))) {
                client.writeXml(out);
            }
        }
        return new DispatchProgram(directory, history);
    }

    /** Skips the test, with the reason, where mvn -Pspark has put no Spark together. */
    static void assumeSpark() {
        assumeThat(SPARK_JOBS.resolve("target/spark/jars"))
                .as("Spark is not downloaded; mvn -Pspark -pl :spark-jobs -am -DskipTests package does it")
                .isDirectory();
    }

    Process start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-Ddispatch.workloads=" + Path.of("..", "hibench-configs", "workloads.tsv"),
                "-Ddispatch.spark-jobs=" + SPARK_JOBS,
                "-Ddispatch.log=" + directory.resolve("dispatch.log"),
                "-Dlog4j.configuration=dispatch-log4j.properties",
                OPEN,
                "--add-opens=java.base/java.lang.invoke=ALL-UNNAMED",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "-cp",
                directory.resolve("conf") + File.pathSeparator + System.getProperty("java.class.path"),
                "org.interference.yarn.dispatch.Dispatch",
                "--work-dir",
                directory.resolve("work").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("HADOOP_CONF_DIR", directory.resolve("conf").toString());
        return builder.start();
    }

    End run(String... arguments) throws IOException, InterruptedException {
        Process process = start(arguments);
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        return new End(process.waitFor(), output);
    }

    JsonNode result(String run) throws IOException {
        return new ObjectMapper()
                .readTree(directory
                        .resolve("runs")
                        .resolve(run)
                        .resolve("result.json")
                        .toFile());
    }

    /** Returns the folder of a run. */
    String folder(String run) {
        return directory.resolve("runs").resolve(run).toString();
    }

    @Override
    public void close() {
        history.stop();
    }
}
