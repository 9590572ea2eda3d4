package org.interference.yarn.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;
import static org.interference.yarn.it.Patience.PATIENCE_WITH_PROCESSES;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An unmodified Storm, whose daemons are a YARN service's components, on stock daemons with the plugin. */
@Timeout(900)
class StormTest {
    private static final Path STORM = Path.of("..", "lab", "storm-topology", "target");
    private static final Path LIBRARIES = STORM.resolve("storm").resolve("lib").toAbsolutePath();
    private static final int TUPLES = 10_000;
    private static final String LOGGING = """
            <Configuration status="WARN"><Appenders><Console name="out"><PatternLayout pattern="%d %p %c{1.} %m%n"/></Console></Appenders>
            <Loggers><Root level="INFO"><AppenderRef ref="out"/></Root></Loggers></Configuration>
            """;

    @TempDir
    private Path directory;

    @BeforeEach
    void needsStorm() {
        assumeThat(LIBRARIES)
                .as("Storm is not downloaded; mvn -Pstorm -pl :storm-topology -am -DskipTests package does it")
                .isDirectory();
    }

    @Test
    void aTopologyOnAServiceDoesItsWorkAndItsSupervisorHasAProfile() throws Exception {
        try (Daemons daemons = Daemons.install(directory, yarn -> {
            yarn.set("hadoop.registry.zk.quorum", MiniCluster.freeAddress());
            yarn.set("yarn.interference.place.mode", "on");
            yarn.set("yarn.nodemanager.vmem-check-enabled", "false");
            yarn.setInt("yarn.nodemanager.resource.memory-mb", 4096);
        })) {
            daemons.startZooKeeper();
            daemons.startResourceManager();
            daemons.startNodeManager();
            Path home = stormHome(daemons.conf().get("hadoop.registry.zk.quorum"));
            Path service = Files.writeString(directory.resolve("storm.json"), """
                    {"name": "storm", "version": "1", "components": [
                      {"name": "nimbus", "number_of_containers": 1, "launch_command": "%s",
                       "resource": {"cpus": 1, "memory": "768"}},
                      {"name": "supervisor", "number_of_containers": 1, "launch_command": "%s", "dependencies": ["nimbus"],
                       "resource": {"cpus": 1, "memory": "768"}}]}
                    """.formatted(
                            daemon(home, "nimbus", "org.apache.storm.daemon.nimbus.Nimbus"),
                            daemon(home, "supervisor", "org.apache.storm.daemon.supervisor.Supervisor")));
            Path done = directory.resolve("done");

            daemons.yarnApp("-launch", "storm", service.toString());
            await("a topology that is taken").atMost(PATIENCE_WITH_PROCESSES).until(() -> submit(home, done) == 0);
            await("tuples that are counted").atMost(PATIENCE_WITH_PROCESSES).until(() -> Files.exists(done));
            assertThat(done).hasContent(Integer.toString(TUPLES));
            daemons.yarnApp("-stop", "storm");

            await("profiles of nimbus and supervisor")
                    .atMost(PATIENCE_WITH_PROCESSES)
                    .until(() -> daemons.get("profiles").path("profiles").findValuesAsText("key").stream()
                                    .filter(key -> key.matches("yarn-service/storm/component-\\d+/.*"))
                                    .count()
                            == 2);
            assertThat(ProcessHandle.allProcesses()
                            .filter(process ->
                                    process.info().commandLine().orElse("").contains(home.toString())))
                    .as("processes of Storm that outlive their service")
                    .isEmpty();
        }
    }

    /** Makes what Storm's own scripts find in an installation. */
    private Path stormHome(String zooKeeper) throws IOException {
        Path home = Files.createDirectories(directory.resolve("storm"));
        Files.createSymbolicLink(home.resolve("lib-worker"), LIBRARIES);
        Files.writeString(Files.createDirectories(home.resolve("log4j2")).resolve("worker.xml"), LOGGING);
        Files.writeString(home.resolve("log4j2").resolve("cluster.xml"), LOGGING);
        String[] quorum = zooKeeper.split(":", -1);
        Files.writeString(Files.createDirectories(home.resolve("conf")).resolve("storm.yaml"), """
                storm.zookeeper.servers: ["%s"]
                storm.zookeeper.port: %s
                storm.local.hostname: "localhost"
                storm.log4j2.conf.dir: "%s"
                nimbus.seeds: ["localhost"]
                nimbus.thrift.port: %s
                supervisor.slots.ports: [%s]
                worker.childopts: "-Xmx128m"
                """.formatted(
                        quorum[0], quorum[1], home.resolve("log4j2"), freePort(), freePort()));
        return home;
    }

    private static String freePort() throws IOException {
        String address = MiniCluster.freeAddress();
        return address.substring(address.lastIndexOf(':') + 1);
    }

    private static String daemon(Path home, String name, String main) {
        return String.join(" ", java(home, name, LIBRARIES + "/*")) + " " + main;
    }

    private static List<String> java(Path home, String name, String jars) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Dstorm.home=" + home,
                "-Dstorm.log.dir=" + home.resolve("logs"),
                "-Dstorm.options=storm.local.dir=" + home.resolve(name),
                "-Dlog4j.configurationFile=" + home.resolve("log4j2").resolve("cluster.xml"),
                "-cp",
                home.resolve("conf") + File.pathSeparator + jars);
    }

    /** Returns the status of Storm's own client; Nimbus may not be there yet. */
    private int submit(Path home, Path done) throws IOException, InterruptedException {
        Path jar = topologyJar();
        List<String> command = new ArrayList<>(java(home, "client", LIBRARIES + "/*" + File.pathSeparator + jar));
        command.addAll(List.of(
                "-Dstorm.jar=" + jar,
                "org.interference.yarn.storm.CountingTopology",
                "counting",
                Integer.toString(TUPLES),
                done.toString()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        Path.of("target", "storm-client.log").toFile()))
                .start()
                .waitFor();
    }

    private static Path topologyJar() throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(STORM, "storm-topology-*.jar")) {
            return jars.iterator().next().toAbsolutePath();
        }
    }
}
