package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.net.ConnectException;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;
import org.interference.yarn.InterferenceAwareScheduler;
import org.interference.yarn.nm.app.InterferenceNodeAgent;
import org.interference.yarn.wire.intpd.IntpdCodec;
import org.interference.yarn.wire.intpd.IntpdRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The README's installation: stock daemons, each a process of its own with Hadoop's jars, one plugin jar, and the lines of
 * conf/*.example.xml.
 */
@Timeout(240)
class InstalledJarsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Path EXAMPLES = Path.of("..", "conf");

    @TempDir
    private Path directory;

    private final List<Process> daemons = new ArrayList<>();

    @AfterEach
    void endEverything() throws Exception {
        for (Process daemon : daemons) {
            daemon.descendants().forEach(ProcessHandle::destroyForcibly);
            daemon.destroyForcibly().waitFor();
        }
    }

    @Test
    void eachJarHoldsNothingOutsideOurPackages() throws Exception {
        for (Class<?> entry : List.of(InterferenceAwareScheduler.class, InterferenceNodeAgent.class)) {
            try (JarFile jar = new JarFile(jarOf(entry).toFile())) {
                assertThat(jar.stream().filter(file -> !file.isDirectory()).map(ZipEntry::getName))
                        .as(jar.getName())
                        .contains("META-INF/LICENSE", "META-INF/NOTICE")
                        .allMatch(name -> name.startsWith("org/interference/yarn/") || name.startsWith("META-INF/"));
            }
        }
    }

    @Test
    void theNodeManagersJarCarriesNothingOfTheResourceManagers() throws Exception {
        try (JarFile jar = new JarFile(jarOf(InterferenceNodeAgent.class).toFile())) {
            assertThat(jar.stream().map(ZipEntry::getName))
                    .noneMatch(name -> name.matches(
                            "org/interference/yarn/(profile|place|predict|rest|shaded/jackson/(?!core/).*)/.*"));
        }
    }

    @Test
    void theResourceManagersJarCarriesNothingOfTheCollectors() throws Exception {
        try (JarFile jar = new JarFile(jarOf(InterferenceAwareScheduler.class).toFile())) {
            assertThat(jar.stream().map(ZipEntry::getName))
                    .noneMatch(name -> name.matches("org/interference/yarn/(nm|wire/intpd)/.*"));
        }
    }

    @Test
    void theNodeManagersJarAloneUnderstandsTheCollector() throws Exception {
        URL[] jar = {jarOf(InterferenceNodeAgent.class).toUri().toURL()};
        try (URLClassLoader alone = new URLClassLoader(jar, ClassLoader.getPlatformClassLoader())) {
            Class<?> request = alone.loadClass(IntpdRequest.class.getName());
            Class<?> hello = alone.loadClass(IntpdRequest.Hello.class.getName());
            Method decode = alone.loadClass(IntpdCodec.class.getName()).getMethod("decode", byte[].class, request);

            Object reply = decode.invoke(
                    null,
                    "{\"v\":1,\"ok\":true,\"daemon\":\"intpd\",\"release\":\"x\",\"start_ns\":1}"
                            .getBytes(StandardCharsets.UTF_8),
                    hello.getConstructor().newInstance());

            assertThat(reply)
                    .hasToString("IntpdReply[id=OptionalLong.empty,"
                            + " answer=Hello[daemon=intpd, release=x, startNanos=1]]");
        }
    }

    @Test
    void stockDaemonsMeasureABusyContainerAndItsProfileSurvivesAKilledResourceManager() throws Exception {
        Configuration conf = install();
        Process resourceManager = start(ResourceManager.class, InterferenceAwareScheduler.class);
        awaitRest(conf);
        start(NodeManager.class, InterferenceNodeAgent.class);

        try (FakeApplication application = FakeApplication.start(conf, "busy loop")) {
            Container container = application.ask(1, 512, 1).get(0);
            application.start(container, "timeout 5 sh -c 'while :; do :; done'; exit 0");
            await("profile of the loop").atMost(PATIENCE).until(() -> cpuOfTheLoop(conf) > 0);
        }

        assertThat(get(conf, "health").path("mode").asText()).isEqualTo("shadow");
        Path store = directory.resolve("store").resolve("profiles.json");
        await("profile on disk")
                .atMost(PATIENCE)
                .until(() -> Files.exists(store) && Files.readString(store).contains("yarn/busy-loop/priority-1/"));
        double learnt = cpuOfTheLoop(conf);
        resourceManager.destroyForcibly().waitFor();
        start(ResourceManager.class, InterferenceAwareScheduler.class);
        awaitRest(conf);
        assertThat(cpuOfTheLoop(conf)).isEqualTo(learnt);
    }

    /** Writes the configuration folder: the examples as they are, and what any cluster has to say for itself. */
    private Configuration install() throws IOException {
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
        yarn.set(YarnConfiguration.NM_LOCAL_DIRS, directory.resolve("local").toString());
        yarn.set(YarnConfiguration.NM_LOG_DIRS, directory.resolve("logs").toString());
        yarn.setInt(YarnConfiguration.NM_PMEM_MB, 2048);
        yarn.setInt(YarnConfiguration.RM_SCHEDULER_MINIMUM_ALLOCATION_MB, 256);
        yarn.set("yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "99.9");
        Configuration queues = example("capacity-scheduler.example.xml");
        queues.set("yarn.scheduler.capacity.root.queues", "default");
        queues.set("yarn.scheduler.capacity.root.default.capacity", "100");
        queues.set("yarn.scheduler.capacity.maximum-am-resource-percent", "0.8");
        Configuration core = new Configuration(false);
        core.set("fs.defaultFS", "file:///");
        core.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
        write(yarn, "yarn-site.xml");
        write(queues, "capacity-scheduler.xml");
        write(core, "core-site.xml");
        Configuration client = new YarnConfiguration();
        core.forEach(property -> client.set(property.getKey(), property.getValue()));
        yarn.forEach(property -> client.set(property.getKey(), property.getValue()));
        return client;
    }

    private static Configuration example(String name) {
        Configuration conf = new Configuration(false);
        conf.addResource(new org.apache.hadoop.fs.Path(
                EXAMPLES.resolve(name).toAbsolutePath().toUri()));
        return conf;
    }

    private void write(Configuration conf, String name) throws IOException {
        Path folder = Files.createDirectories(directory.resolve("conf"));
        try (OutputStream file = Files.newOutputStream(folder.resolve(name))) {
            conf.writeXml(file);
        }
    }

    /** Starts a daemon with Hadoop's jars and the one plugin jar that holds {@code plugin}. */
    private Process start(Class<?> daemon, Class<?> plugin) throws Exception {
        String hadoop = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> entry.endsWith(".jar"))
                .filter(entry -> !entry.endsWith("-tests.jar") && !entry.contains(File.separator + "target"))
                .collect(Collectors.joining(File.pathSeparator));
        String classPath = String.join(
                File.pathSeparator,
                directory.resolve("conf").toString(),
                hadoop,
                jarOf(plugin).toString());
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx512m",
                        "-cp",
                        classPath,
                        daemon.getName())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        Path.of("target", daemon.getSimpleName() + ".log").toFile()))
                .start();
        daemons.add(process);
        return process;
    }

    private static Path jarOf(Class<?> type) throws Exception {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        Path jar = Path.of(source.getLocation().toURI());
        assertThat(jar).as("the packaged jar; run this test with mvn verify").isRegularFile();
        return jar;
    }

    private static void awaitRest(Configuration conf) {
        await("REST of the ResourceManager")
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(ConnectException.class)
                .until(() -> get(conf, "health").path("status").asText().equals("OK"));
    }

    private static double cpuOfTheLoop(Configuration conf) throws Exception {
        for (JsonNode profile : get(conf, "profiles").path("profiles")) {
            if (profile.path("key").asText().startsWith("yarn/busy-loop/priority-1/")) {
                return profile.path("signals").path("cpu").path("mean").asDouble();
            }
        }
        return 0;
    }

    private static JsonNode get(Configuration conf, String path) throws Exception {
        URI uri = URI.create(
                "http://%s/ws/v1/interference/%s".formatted(conf.get(YarnConfiguration.RM_WEBAPP_ADDRESS), path));
        HttpResponse<String> response = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
        return new ObjectMapper().readTree(response.statusCode() == 200 ? response.body() : "{}");
    }
}
