package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE_WITH_PROCESSES;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.nm.app.InterferenceNodeAgent;

/**
 * The README's installation: stock daemons, each a process of its own with Hadoop's jars, one plugin jar, and the lines of
 * conf/*.example.xml.
 */
final class Daemons implements AutoCloseable {
    private static final Path EXAMPLES = Path.of("..", "conf");

    private final Path directory;
    private final Configuration conf;
    private final List<Process> processes = new ArrayList<>();

    private Daemons(Path directory, Configuration conf) {
        this.directory = directory;
        this.conf = conf;
    }

    /**
     * Writes the configuration folder: the examples as they are, and what any cluster has to say for itself.
     *
     * @param directory holds everything that the daemons keep
     * @param settings changes yarn-site.xml
     */
    static Daemons install(Path directory, Consumer<Configuration> settings) throws IOException {
        Configuration yarn = example("yarn-site.example.xml");
        yarn.set(
                "yarn.interference.profile.store-dir",
                directory.resolve("store").toString());
        MiniCluster.localAddresses(yarn);
        for (String address : List.of(
                YarnConfiguration.NM_ADDRESS,
                YarnConfiguration.NM_LOCALIZER_ADDRESS,
                YarnConfiguration.NM_WEBAPP_ADDRESS)) {
            yarn.set(address, "localhost:0");
        }
        // Without, all of a user's ResourceManagers on a machine share one.
        yarn.set(
                YarnConfiguration.FS_NODE_ATTRIBUTE_STORE_ROOT_DIR,
                directory.resolve("attributes").toUri().toString());
        yarn.set(YarnConfiguration.NM_LOCAL_DIRS, directory.resolve("local").toString());
        yarn.set(YarnConfiguration.NM_LOG_DIRS, directory.resolve("logs").toString());
        yarn.setInt(YarnConfiguration.NM_PMEM_MB, 2048);
        yarn.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 256);
        yarn.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99.9");
        settings.accept(yarn);
        Configuration queues = new Configuration(false);
        queues.set("yarn.scheduler.capacity.root.queues", "default");
        queues.set("yarn.scheduler.capacity.root.default.capacity", "100");
        queues.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.8");
        Configuration core = new Configuration(false);
        core.set("fs.defaultFS", "file:///");
        core.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
        Path folder = Files.createDirectories(directory.resolve("conf"));
        write(yarn, folder.resolve("yarn-site.xml"));
        write(queues, folder.resolve("capacity-scheduler.xml"));
        write(core, folder.resolve("core-site.xml"));
        Configuration client = new YarnConfiguration();
        core.forEach(property -> client.set(property.getKey(), property.getValue()));
        yarn.forEach(property -> client.set(property.getKey(), property.getValue()));
        return new Daemons(directory, client);
    }

    /** Has a NodeManager find its containers again that is started anew, in what {@code directory} keeps. */
    static void nodeRecovery(Configuration conf, Path directory) {
        conf.setBoolean(YarnConfiguration.NM_RECOVERY_ENABLED, true);
        conf.set(
                YarnConfiguration.NM_RECOVERY_DIR, directory.resolve("recovery").toString());
        // A node that comes back must have the name that it went by.
        conf.set(YarnConfiguration.NM_ADDRESS, MiniCluster.freeAddress());
        conf.setInt("yarn.client.nodemanager-connect.retry-interval-ms", 300);
    }

    /**
     * Returns a command that burns CPU until a file appears. What a killed NodeManager started is nobody's child, so it also ends with the test's
     * directory.
     */
    static String busyUntil(Path directory, Path file) {
        return "while [ -d '%s' -a ! -e '%s' ]; do i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; done; exit 0"
                .formatted(directory, file);
    }

    private static Configuration example(String name) {
        Configuration conf = new Configuration(false);
        conf.addResource(new org.apache.hadoop.fs.Path(
                EXAMPLES.resolve(name).toAbsolutePath().toUri()));
        return conf;
    }

    private static void write(Configuration conf, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            conf.writeXml(out);
        }
    }

    /** Settings for a client. */
    Configuration conf() {
        return conf;
    }

    /** Starts a ResourceManager and waits until its plugin answers. */
    Process startResourceManager() throws Exception {
        Process process = start(ResourceManager.class, InterferenceAwareScheduler.class);
        await("REST of the ResourceManager")
                .atMost(PATIENCE_WITH_PROCESSES)
                .ignoreExceptionsInstanceOf(ConnectException.class)
                .until(() -> get("health").path("status").asText().equals("OK"));
        return process;
    }

    /** Starts a ResourceManager that somebody else is to make the active one. */
    Process startStandby() throws Exception {
        return start(ResourceManager.class, InterferenceAwareScheduler.class);
    }

    Process startNodeManager() throws Exception {
        return start(NodeManager.class, InterferenceNodeAgent.class);
    }

    /** Starts a daemon with Hadoop's jars and the one plugin jar that holds {@code plugin}. */
    private Process start(Class<?> daemon, Class<?> plugin) throws Exception {
        return launch(
                File.pathSeparator + jarOf(plugin), daemon.getSimpleName(), List.of("-Xmx512m", daemon.getName()));
    }

    /** Starts the ZooKeeper in which YARN services find each other, at the quorum that yarn-site.xml names. */
    Process startZooKeeper() throws Exception {
        String quorum = conf.get("hadoop.registry.zk.quorum");
        Path data = Files.createDirectories(directory.resolve("zookeeper"));
        return launch(
                "",
                "ZooKeeper",
                List.of(
                        "-Dzookeeper.admin.enableServer=false",
                        "org.apache.zookeeper.server.ZooKeeperServerMain",
                        quorum.substring(quorum.indexOf(':') + 1),
                        data.toString()));
    }

    /** Runs {@code yarn app ARGUMENTS} as a process of its own, until it ends, and returns what it printed; it must succeed. */
    String yarnApp(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(
                List.of(
                        "-Duser.home=" + directory,
                        "org.apache.hadoop.yarn.client.cli.ApplicationCLI",
                        "app",
                        // The ApplicationMaster gets this process's class path, in place of an archive of all of
                        // Hadoop.
                        "-Dyarn.is.minicluster=true",
                        "-Dyarn.application.admin.client.class.yarn-service=org.apache.hadoop.yarn.service.client.ServiceClient"));
        command.addAll(List.of(arguments));
        Path printed = Files.createTempFile(directory, "yarn-app", "");
        Process process = launch("", printed, command);
        int status = process.waitFor();
        String text = Files.readString(printed);
        assertThat(status)
                .as("yarn app %s: %s", String.join(" ", arguments), text)
                .isZero();
        return text;
    }

    private Process launch(String classPath, String log, List<String> command) throws IOException {
        return launch(
                classPath,
                Path.of("target", "%s-%s.log".formatted(log, System.getProperty("test.fork", "1"))),
                command);
    }

    /** Starts a JVM with the configuration folder and Hadoop's jars. */
    private Process launch(String classPath, Path log, List<String> command) throws IOException {
        String hadoop = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> entry.endsWith(".jar"))
                .filter(entry -> !entry.endsWith("-tests.jar") && !entry.contains(File.separator + "target"))
                .collect(Collectors.joining(File.pathSeparator));
        List<String> all = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // As Hadoop's own scripts do with Java 17; before 3.5 its web servers need it.
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-cp",
                directory.resolve("conf") + File.pathSeparator + hadoop + classPath));
        all.addAll(command);
        Process process = new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        processes.add(process);
        return process;
    }

    /** Returns the plugin jar that {@code type} is in. */
    static Path jarOf(Class<?> type) throws Exception {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        Path jar = Path.of(source.getLocation().toURI());
        assertThat(jar).as("the packaged jar; run this test with mvn verify").isRegularFile();
        return jar;
    }

    /** Returns what the plugin's REST answers; an empty object while it does not. */
    JsonNode get(String path) throws Exception {
        return json("http://%s/ws/v1/interference/%s".formatted(conf.get(YarnConfiguration.RM_WEBAPP_ADDRESS), path));
    }

    static JsonNode json(String address) throws Exception {
        URI uri = URI.create(address);
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(uri)
                                .timeout(PATIENCE_WITH_PROCESSES)
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        return new ObjectMapper().readTree(response.statusCode() == 200 ? response.body() : "{}");
    }

    /** Ends every daemon and what still runs in its containers. */
    @Override
    public void close() {
        for (Process daemon : processes) {
            daemon.descendants().forEach(ProcessHandle::destroyForcibly);
            end(daemon);
        }
    }

    /**
     * Ends a process and waits until it has. Not by {@link Process#onExit}: of one that was waited for before, that waits for whatever process or
     * thread has got its number since.
     */
    static void end(Process process) {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
